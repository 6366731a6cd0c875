import { allowedIn } from '../allowed.ts';
import { type ComplianceKey, compliance, complianceFields, regions } from '../compliance/compliance.ts';
import { duplicateKey } from '../files/duplicateKey.ts';
import { readValue, showValue } from '../readValue.ts';
import { credentialsIn } from './credentials.ts';
import { evidenceIn } from './evidencePolicy.ts';
import {
  at,
  flagIn,
  listOf,
  Malformed,
  type ManagedPlace,
  type ManagedProblem,
  malformed,
  objectIn,
  oneOf,
  textIn,
  unknownKey,
  wrong,
} from './fileValues.ts';
import { instructionsFileIn, instructionsIn } from './instructionsPolicy.ts';
import { isOrigin } from './isOrigin.ts';
import { features, identities, type ManagedPolicy } from './managedPolicy.ts';
import { checkMinVersion } from './minVersion.ts';
import { policySourceIn } from './policySource.ts';
import { toolRulesIn } from './toolRules.ts';

type ManagedParse =
  | { readonly ok: true; readonly policy: ManagedPolicy }
  | { readonly ok: false; readonly problem: ManagedProblem };

/**
 * Parses the file's text, for this version of the extension. An unknown key is an error: a typing mistake must not silently loosen the policy.
 */
export function parseManagedPolicy(text: string, extensionVersion: string): ManagedParse {
  try {
    return { ok: true, policy: policyIn(jsonIn(text), extensionVersion) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** Parses JSON in which no key occurs twice. Throws a Malformed. */
export function jsonIn(text: string): unknown {
  // Editors on Windows write a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw malformed(whereIn(json, error), { kind: 'notJson' }, { kind: 'object' });
  }
  // It is unclear which of the two values was meant: the effective one may be the looser one.
  const twice = duplicateKey(json);
  if (twice !== null) throw malformed(at(twice), { kind: 'keyTwice' }, { kind: 'eachKeyOnce' });
  return value;
}

/** The position of a syntax error. V8 reports the line and the column, or only the offset, or neither at the end of the text. */
function whereIn(json: string, error: unknown): ManagedPlace {
  const message = error instanceof Error ? error.message : '';
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return { kind: 'position', line: Number(line), column: Number(column) };
  const lines = json.slice(0, Number(/position (\d+)/.exec(message)?.[1] ?? json.length)).split('\n');
  return { kind: 'position', line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Reads a policy from parsed JSON. Throws a Malformed. */
export function policyIn(value: unknown, extensionVersion: string): ManagedPolicy {
  const given = objectIn(value, '');
  // The versions are checked first, because a later version may have other keys.
  if (given.version !== 1) throw new Malformed({ reason: 'unknown-version', found: showValue(given.version) });
  checkMinVersion(given, extensionVersion);
  for (const key of Object.keys(given)) {
    if (!fileKeys.has(key)) throw unknownKey(key, [...fileKeys]);
  }
  const { file, ignored } = withOptional(given);
  const optional = <T>(key: string, read: (value: unknown, where: string) => T): T | undefined =>
    file[key] === undefined ? undefined : read(file[key], Object.hasOwn(given, key) ? key : `optional.${key}`);
  optional('$schema', textIn);
  const allowedRegions = optional('allowedRegions', listOf(oneOf(regions)));
  const allowedOrigins = optional('allowedOrigins', listOf(originIn));
  const allowedModels = optional('allowedModels', listOf(modelIn));
  const credentials = optional('credentials', credentialsIn);
  const source = optional('source', policySourceIn);
  const tools = optional('tools', toolRulesIn);
  const changes = optional('changes', changesIn);
  const requireRecognition = optional('requireRecognition', flagIn);
  const identity = optional('identity', oneOf(identities));
  const instructions = optional('instructions', instructionsIn);
  const instructionsFile = optional('instructionsFile', instructionsFileIn);
  if (instructions !== undefined && instructionsFile !== undefined)
    throw wrong('instructionsFile', instructionsFile, { kind: 'onlyInstructionsFile' });
  return {
    compliance: optional('compliance', complianceIn) ?? {},
    ...(allowedRegions === undefined ? {} : { allowedRegions }),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(allowedModels === undefined ? {} : { allowedModels }),
    requireAuditLog: optional('requireAuditLog', flagIn) ?? false,
    requirePreview: optional('requirePreview', flagIn) ?? false,
    forbidUnmaskedSecrets: optional('forbidUnmaskedSecrets', flagIn) ?? false,
    ...(requireRecognition === undefined ? {} : { requireRecognition }),
    limits: optional('limits', limitsIn) ?? {},
    disabledFeatures: optional('disabledFeatures', listOf(oneOf(features), true)) ?? [],
    ...(tools === undefined ? {} : { tools }),
    ...(changes === undefined ? {} : { changes }),
    evidence: optional('evidence', evidenceIn) ?? {},
    ...(identity === undefined ? {} : { identity }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(instructionsFile === undefined ? {} : { instructionsFile }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(source === undefined ? {} : { source }),
    ...(ignored.length === 0 ? {} : { ignored }),
  };
}

/** The keys that describe the file itself. */
export const ownKeys: readonly string[] = ['$schema', 'version', 'minVersion', 'updateUrl', 'optional'];

/**
 * Adds the keys under `optional` to those of the file: they apply like all others, but a version that does not know one ignores
 * it.
 */
function withOptional(given: Readonly<Record<string, unknown>>) {
  const optional = given.optional === undefined ? {} : objectIn(given.optional, 'optional');
  const ignored: string[] = [];
  const file: Record<string, unknown> = { ...given };
  for (const [key, value] of Object.entries(optional)) {
    if (ownKeys.includes(key)) throw unknownKey(`optional.${key}`, policyKeys);
    if (Object.hasOwn(given, key))
      throw malformed(at(`optional.${key}`), { kind: 'keyTwice' }, { kind: 'eachKeyOnce' });
    if (fileKeys.has(key)) file[key] = value;
    else ignored.push(key);
  }
  return { file, ignored };
}

const policyKeys = [
  'compliance',
  'allowedRegions',
  'allowedOrigins',
  'allowedModels',
  'requireAuditLog',
  'requirePreview',
  'forbidUnmaskedSecrets',
  'requireRecognition',
  'limits',
  'disabledFeatures',
  'tools',
  'changes',
  'evidence',
  'identity',
  'instructions',
  'instructionsFile',
  'credentials',
  'source',
];
const fileKeys = new Set([...ownKeys, ...policyKeys]);

function complianceIn(value: unknown, where: string): ManagedPolicy['compliance'] {
  const found: Partial<Record<ComplianceKey, unknown>> = {};
  for (const [name, raw] of Object.entries(objectIn(value, where))) {
    const field = complianceFields.find((one) => one === name);
    if (field === undefined) throw unknownKey(`${where}.${name}`, complianceFields);
    const key = compliance[field].setting;
    const read = readValue(key, raw);
    if (read.is === 'invalid') throw wrong(`${where}.${name}`, raw, allowedIn(key));
    if (read.is === 'value') found[key] = read.value;
  }
  return found;
}

/** The limits, each with whether it is a number of bytes; the others count a day, and 0 would block every request. */
const limitKinds = { requestBytes: true, fileBytes: true, requestsPerDay: false, tokensPerDay: false } as const;
const limitNames = Object.keys(limitKinds) as (keyof typeof limitKinds)[];

function limitsIn(value: unknown, where: string): ManagedPolicy['limits'] {
  const limits: Partial<Record<keyof typeof limitKinds, number>> = {};
  for (const [key, raw] of Object.entries(objectIn(value, where))) {
    const name = limitNames.find((one) => one === key);
    if (name === undefined) throw unknownKey(`${where}.${key}`, limitNames);
    const isInBytes = limitKinds[name];
    if (!Number.isSafeInteger(raw) || Number(raw) < (isInBytes ? 0 : 1)) {
      throw wrong(
        `${where}.${name}`,
        raw,
        isInBytes ? { kind: 'bytes' } : { kind: 'number', isWhole: true, minimum: 1 },
      );
    }
    limits[name] = Number(raw);
  }
  return limits;
}

function changesIn(value: unknown, where: string): NonNullable<ManagedPolicy['changes']> {
  const { requireReview, ...others } = objectIn(value, where);
  for (const name of Object.keys(others)) throw unknownKey(`${where}.${name}`, ['requireReview']);
  return requireReview === undefined ? {} : { requireReview: flagIn(requireReview, `${where}.requireReview`) };
}

export function originIn(value: unknown, where: string): string {
  if (isOrigin(value)) return value;
  throw wrong(where, value, { kind: 'origin' });
}

function modelIn(value: unknown, where: string): string {
  if (typeof value === 'string' && /^[^\s*]+\*?$/.test(value)) return value;
  throw wrong(where, value, { kind: 'modelPattern' });
}
