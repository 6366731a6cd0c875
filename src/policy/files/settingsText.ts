import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type SettingKey, type SettingSpec, settingKeys, settings } from '../settings.ts';
import type { AskedInFile, SettingsText, SettingsTextProblem } from './settingsFile.ts';

/** The kind of file: only settings, or a workspace that contains settings. */
export type SettingsFileKind = 'settings' | 'workspace';

/** The maximum length of a settings file, far above any real size. It is read in some 50 ms, in each window. */
const maxLength = 1_000_000;

/**
 * Returns the parts of a settings file that VS Code silently omits (it reads the valid parts of a broken file, and the last of
 * two values), and the values of the file. Reports no problem if VS Code reads all of our settings. An empty file has no
 * settings.
 */
export function readSettingsText(text: string, kind: SettingsFileKind): SettingsText {
  const broken = (problem: SettingsTextProblem): SettingsText => ({ problem, asked: [] });
  if (text.length > maxLength) return broken({ reason: 'too-large', line: 1 });
  const json = text.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(json, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    // The text is nested too deeply to be parsed.
    return broken({ reason: 'syntax', line: 1, detail: 'RangeError' });
  }
  const lineOf = lineCounter(json);
  const [error] = errors;
  if (error !== undefined) {
    const conflict = /^(<{7}|={7}|>{7})/m.exec(json);
    return broken(
      conflict === null
        ? { reason: 'syntax', line: lineOf(error.offset), detail: printParseErrorCode(error.error) }
        : { reason: 'merge-conflict', line: lineOf(conflict.index) },
    );
  }
  const found = root === undefined ? null : kind === 'workspace' ? inWorkspaceFile(root) : inSettings(root);
  if (found !== null) {
    const { reason, at, key } = found;
    return broken({ reason, line: lineOf(at.offset), ...(key === undefined ? {} : { key }) });
  }
  return { problem: null, asked: root === undefined ? [] : askedIn(root, kind, lineOf) };
}

/** The line of an offset, counted from 1. Ascending offsets take one pass over the text. */
function lineCounter(text: string): (offset: number) => number {
  let [line, at] = [1, 0];
  return (offset) => {
    if (offset < at) [line, at] = [1, 0];
    for (; at < offset; at += 1) {
      const letter = text.charCodeAt(at);
      const isEnd = letter === 0x0d || (letter === 0x0a && text.charCodeAt(at - 1) !== 0x0d);
      if (isEnd) line += 1;
    }
    return line;
  };
}

/** The values of a file without problems, in which each setting occurs once. */
function askedIn(root: Node, kind: SettingsFileKind, lineOf: (offset: number) => number): readonly AskedInFile[] {
  const top = kind === 'settings' ? root : propertiesOf(root).find(({ name }) => name === 'settings')?.value;
  const within = (node: Node, path: string): readonly AskedInFile[] =>
    propertiesOf(node).flatMap(({ name, value, at }) => {
      const full = path === '' ? name : `${path}.${name}`;
      if (!isSettingKey(full)) return isOurs(full) ? within(value, full) : [];
      const key = full;
      const spec: SettingSpec = settings[key];
      return spec.tightens ? [{ key, value: getNodeValue(value), line: lineOf(at.offset) }] : [];
    });
  return top === undefined ? [] : within(top, '');
}

function isSettingKey(name: string): name is SettingKey {
  return Object.hasOwn(settings, name);
}

/** The prefixes of settings before a dot: `svc`, `svc.compliance`, and others. */
const groups = new Set(settingKeys.flatMap((key) => [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index))));

interface Found {
  readonly reason: SettingsTextProblem['reason'];
  readonly at: Node;
  readonly key?: string;
}

interface Property {
  readonly name: string;
  readonly value: Node;
  readonly at: Node;
}

function inWorkspaceFile(root: Node): Found | null {
  if (root.type !== 'object') return { reason: 'not-an-object', at: root };
  const outside = propertiesOf(root).find(({ name }) => isOurs(name));
  if (outside !== undefined) return { reason: 'outside-settings', at: outside.at, key: outside.name };
  const blocks = propertiesOf(root).filter(({ name }) => name === 'settings');
  const [, second] = blocks;
  if (second !== undefined && blocks.some(({ value }) => hasOurs(value))) {
    return { reason: 'duplicate', at: second.at, key: 'settings' };
  }
  return firstOf(blocks, ({ value }) => inSettings(value));
}

function inSettings(root: Node): Found | null {
  if (root.type !== 'object') return { reason: 'not-an-object', at: root };
  const all = propertiesOf(root);
  const languages = all.filter(({ name }) => name.startsWith('['));
  return (
    inOurs(all.filter(({ name }) => isOurs(name))) ??
    twice(languages, ({ value }) => hasOurs(value)) ??
    firstOf(languages, ({ value }) => inLanguage(propertiesOf(value).filter(({ name }) => isOurs(name))))
  );
}

/** Checks the settings for a language: VS Code reads only settings that support languages. */
function inLanguage(ours: readonly Property[]): Found | null {
  const unread = ours.find(({ name }) => scopeOf(name) !== 'language-overridable');
  return unread === undefined ? inOurs(ours) : { reason: 'per-language', at: unread.at, key: unread.name };
}

function inOurs(ours: readonly Property[]): Found | null {
  const seen = new SeenNames();
  for (const { name, at } of ours) {
    // An object `svc.compliance` replaces each `svc.compliance.…` before it.
    if (seen.add(name)) return { reason: 'duplicate', at, key: name };
  }
  return firstOf(ours, inSetting);
}

/** The maximum number of parts of a name; no setting has as many, so longer names are treated as equal. */
const maxParts = 10;

/** The names that occurred, by their parts between dots. */
class SeenNames {
  readonly #inner = new Map<string, SeenNames>();
  /** Whether the parts up to here are a whole name. */
  #isName = false;

  /** Adds a name. Returns whether it, a name within it, or a name that it is within was added before. */
  add(name: string): boolean {
    let at: SeenNames = this;
    let isNew = false;
    for (const part of name.split('.', maxParts)) {
      if (at.#isName) return true;
      let next = at.#inner.get(part);
      isNew = next === undefined;
      if (next === undefined) {
        next = new SeenNames();
        at.#inner.set(part, next);
      }
      at = next;
    }
    at.#isName = true;
    return !isNew;
  }
}

/** Checks a setting, or an object of settings with a common prefix. */
function inSetting({ name, value, at }: Property): Found | null {
  if (scopeOf(name) !== undefined) return duplicateWithin(value, name);
  if (!groups.has(name)) return null;
  if (value.type !== 'object') return { reason: 'not-an-object', at, key: name };
  const inner = propertiesOf(value);
  // VS Code splits names at their dots only at the top level.
  const dotted = inner.find((one) => one.name.includes('.'));
  if (dotted !== undefined) return { reason: 'dotted', at: dotted.at, key: `${name}.${dotted.name}` };
  const full = inner.map((one) => ({ ...one, name: `${name}.${one.name}` }));
  return twice(full, () => true) ?? firstOf(full, inSetting);
}

function duplicateWithin(value: Node, key: string): Found | null {
  const found = value.type === 'object' ? twice(propertiesOf(value), () => true) : null;
  if (found !== null) return { ...found, key };
  const children = value.type === 'object' ? propertiesOf(value).map((one) => one.value) : (value.children ?? []);
  return firstOf(children, (child) => duplicateWithin(child, key));
}

/** Returns the first property with a repeated name, if any property of that name is relevant. */
function twice(properties: readonly Property[], counts: (property: Property) => boolean): Found | null {
  const counted = new Set(properties.filter(counts).map(({ name }) => name));
  const seen = new Set<string>();
  for (const { name, at } of properties) {
    if (seen.has(name) && counted.has(name)) return { reason: 'duplicate', at, key: name };
    seen.add(name);
  }
  return null;
}

function hasOurs(value: Node): boolean {
  return propertiesOf(value).some((one) => isOurs(one.name) || hasOurs(one.value));
}

function propertiesOf(node: Node): readonly Property[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap((at) => {
    const [name, value] = at.children ?? [];
    return name === undefined || value === undefined ? [] : [{ name: String(name.value), value, at }];
  });
}

function firstOf<T>(all: readonly T[], find: (one: T) => Found | null): Found | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

function isOurs(name: string): boolean {
  return isWithin(name, 'svc');
}

function isWithin(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group}.`);
}

function scopeOf(name: string): string | undefined {
  return isSettingKey(name) ? settings[name].scope : undefined;
}
