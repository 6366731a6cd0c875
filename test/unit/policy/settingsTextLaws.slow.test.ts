import fc from 'fast-check';
import { type Node, parse, parseTree } from 'jsonc-parser';
import { type ComplianceKey, compliance, complianceFields } from '../../../src/policy/compliance/compliance.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { readSettingsText } from '../../../src/policy/files/settingsText.ts';
import type { Layer } from '../../../src/policy/requestPolicy.ts';
import { settingKeys } from '../../../src/policy/settings.ts';
import { validValues } from '../../tools/headerInventory.ts';
import { holds } from './layers.ts';

/** Of values that all layers must agree on, one, so that files never contradict each other. */
const values = Object.fromEntries(
  complianceFields.map((field) => {
    const { setting, combine } = compliance[field];
    const valid = validValues[setting].filter((value) => value !== undefined);
    return [setting, combine === 'agree' ? valid.slice(1, 2) : valid];
  }),
) as unknown as Readonly<Record<ComplianceKey, readonly unknown[]>>;
const keys = Object.keys(values) as readonly ComplianceKey[];

/** A setting in one of the forms in which it can be written. */
const property = fc
  .tuple(fc.constantFrom(...keys), fc.nat(2), fc.constantFrom('flat', 'group', 'tree', 'dotted', 'language', 'other'))
  .map(([key, number, way]) => {
    const value = JSON.stringify(values[key][number % values[key].length]);
    const [name, last] = [JSON.stringify(key), JSON.stringify(key.slice('svc.compliance.'.length))];
    switch (way) {
      case 'flat':
        return `${name}: ${value}`;
      case 'group':
        return `"svc.compliance": { ${last}: ${value} }`;
      case 'tree':
        return `"svc": { "compliance": { ${last}: ${value} } }`;
      case 'dotted':
        return `"svc": { "compliance.${last.slice(1)}: ${value} }`;
      case 'language':
        return `"[go]": { ${name}: ${value} }`;
      default:
        return `"editor.tabSize": ${number}`;
    }
  });
const wholeText = fc
  .tuple(fc.array(property, { maxLength: 4 }), fc.constantFrom('', '// why\n', '\uFEFF'), fc.constantFrom(',\n', ', '))
  .map(([all, before, comma]) => `${before}{\n${all.join(comma)}\n}\n`);
/** Typical damage by an edit, a merge or a typing error. */
const slips = [
  '',
  ',',
  '"',
  '{',
  '}',
  '[',
  ']',
  ':',
  '//',
  '/*',
  '\n<<<<<<< HEAD\n',
  '\n=======\n',
  'null',
  '\\',
  '\u0000',
];
const anyText = fc
  .tuple(wholeText, fc.constantFrom(...slips), fc.nat(), fc.nat(6), fc.constantFrom(0, 1, 1, 1))
  .map(([text, slip, at, cut, isBroken]) => {
    const index = at % (text.length + 1);
    return isBroken === 0 ? text : text.slice(0, index) + slip + text.slice(index + cut);
  });

/**
 * The settings as VS Code reads a text: as much as it can parse, the last of duplicates, dotted names expanded only at
 * the top level.
 */
function asVSCodeReads(text: string): Layer {
  const tree: Record<string, unknown> = {};
  const raw: unknown = parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true, allowEmptyContent: true });
  for (const [key, value] of Object.entries(typeof raw === 'object' && raw !== null ? raw : {})) {
    const names = key.split('.');
    const last = names.pop() ?? '';
    let at: unknown = tree;
    for (const name of names) {
      if (typeof at === 'object' && at !== null) at = Object(at)[name] ??= {};
    }
    if (typeof at === 'object' && at !== null) Object(at)[last] = structuredClone(value);
  }
  const found = (key: string): unknown =>
    key
      .split('.')
      .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Object(at)[name] : undefined), tree);
  return { layer: 'workspace', values: Object.fromEntries(settingKeys.map((key) => [key, found(key)])) };
}

/** Each of our settings that a text names at any depth, one by one: what its author may have intended. */
function named(node: Node | undefined, path = ''): readonly Layer[] {
  if (node === undefined) return [];
  return (node.children ?? []).flatMap((child) => {
    const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    const isLanguage = String(name?.value).startsWith('[');
    const full =
      name === undefined || isLanguage
        ? path
        : `${path === '' ? '' : `${path}.`}${name.value === '' ? '(empty)' : name.value}`;
    const key = keys.find((one) => one === full);
    if (key === undefined) return named(value, full);
    return value === undefined ? [] : [{ layer: 'workspace', values: { [key]: jsonOf(value) } }];
  });
}

function jsonOf(node: Node): unknown {
  return node.type === 'array' ? (node.children ?? []).map(jsonOf) : node.value;
}

describe('policy: a settings file that VS Code reads in part, 20,000 runs', () => {
  it('an accepted file leads to no looser request than the settings it names', () => {
    let read = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        if (readSettingsText(text, 'settings').problem !== null) return true;
        read += 1;
        const resolved = resolvePolicy([asVSCodeReads(text)]);
        return (
          !resolved.ok || named(parseTree(text.replace(/^\uFEFF/, ''))).every((one) => holds(resolved.policy, one))
        );
      }),
      { numRuns: 20_000 },
    );
    // A reader that rejects everything would also fulfill the law.
    if (read < 1000) throw new Error(`Only ${read} of the texts were taken.`);
  });

  it('an accepted file has the same values as its settings', () => {
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.nat(2), fc.boolean(), (key, number, isGrouped) => {
        const value = values[key][number % values[key].length];
        const settings = isGrouped
          ? { 'svc.compliance': { [key.slice('svc.compliance.'.length)]: value } }
          : { [key]: value };
        const text = JSON.stringify(settings);
        const read = asVSCodeReads(text).values[key];
        return readSettingsText(text, 'settings').problem === null && JSON.stringify(read) === JSON.stringify(value);
      }),
    );
  });
});
