import { type Allowed, allowedIn } from '../allowed.ts';
import { type ComplianceKey, compliance, complianceFields, type Region, regions } from '../compliance.ts';
import { isKeyOrigin } from '../connection.ts';
import { duplicateKey } from '../files/duplicateKey.ts';
import { readValue, showValue } from '../readValue.ts';
import type { Layer } from '../requestPolicy.ts';

/** The features that an administrator can disable. */
export const features = [
  'explain',
  'generate',
  'review',
  'inlineCompletions',
  'languageModel',
  'tools',
  'instructions',
  'history',
  'auditExport',
] as const;
export type Feature = (typeof features)[number];

/** The administrator's file, validated. Absent fields constrain nothing. */
export interface ManagedPolicy {
  /** The minimum for every request. */
  readonly compliance: Readonly<Partial<Record<ComplianceKey, unknown>>>;
  readonly allowedRegions?: readonly Region[];
  /** Exact origins. */
  readonly allowedOrigins?: readonly string[];
  /** Identifiers; one that ends in `*` matches by prefix. */
  readonly allowedModels?: readonly string[];
  readonly requireAuditLog: boolean;
  readonly requirePreview: boolean;
  readonly forbidUnmaskedSecrets: boolean;
  /** Every excluded file must be recognized by its content. A version that does not know this key sends nothing. */
  readonly requireRecognition?: boolean;
  readonly limits: { readonly requestBytes?: number; readonly fileBytes?: number };
  readonly disabledFeatures: readonly Feature[];
  readonly evidence: EvidencePolicy;
}

/** What is said about the audit log and its ledger. */
export interface EvidencePolicy {
  /** How long logs are kept, in days. */
  readonly keepDays?: number;
  /** What the names of new ledgers begin with. */
  readonly origin?: string;
}

/** Why the file cannot be used; nothing is sent in that case. */
export type ManagedProblem =
  /** `detail` is the system's error code. */
  | { readonly reason: 'unreadable'; readonly detail: string }
  | ({ readonly reason: 'malformed' } & MalformedPlace)
  | { readonly reason: 'unknown-version'; readonly found: string }
  /** A user other than an administrator can change it: `detail` is the path that they can write. */
  | { readonly reason: 'writable'; readonly detail: string };

/** The invalid part of the file. */
export interface MalformedPlace {
  readonly where: ManagedPlace;
  readonly found: ManagedFault;
  readonly allowed: Allowed;
}

export type ManagedPlace =
  | { readonly kind: 'file' }
  /** Such as `limits.fileBytes` and `allowedModels[0]`. */
  | { readonly kind: 'key'; readonly path: string }
  /** Both counted from 1. */
  | { readonly kind: 'position'; readonly line: number; readonly column: number };

export type ManagedFault =
  /** As JSON, shortened. */
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'notJson' | 'keyTwice' | 'unknownKey' | 'notUtf8' };

export type ManagedState =
  | { readonly state: 'none' }
  /** `digest` is the SHA-256 of the file, hexadecimal. */
  | { readonly state: 'in-force'; readonly file: string; readonly digest: string; readonly policy: ManagedPolicy }
  | { readonly state: 'broken'; readonly file: string; readonly problem: ManagedProblem };

export type ManagedParse =
  | { readonly ok: true; readonly policy: ManagedPolicy }
  | { readonly ok: false; readonly problem: ManagedProblem };

class Malformed extends Error {
  readonly problem: ManagedProblem;

  constructor(problem: ManagedProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

/** Parses the file's text. An unknown key is an error: a typing mistake must not silently loosen the policy. */
export function parseManagedPolicy(text: string): ManagedParse {
  try {
    return { ok: true, policy: policyIn(jsonIn(text)) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.problem };
    throw error;
  }
}

function jsonIn(text: string): unknown {
  // Editors on Windows write a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw malformed(whereIn(json, error), { kind: 'notJson' }, { kind: 'object' });
  }
  // It is unclear which of the two was meant: the effective one may be the looser.
  const twice = duplicateKey(json);
  if (twice !== null) throw malformed(at(twice), { kind: 'keyTwice' }, { kind: 'eachKeyOnce' });
  return value;
}

/** V8 reports the line and the column, or only the position, or neither if the text ends too early. */
function whereIn(json: string, error: unknown): ManagedPlace {
  const message = error instanceof Error ? error.message : '';
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return { kind: 'position', line: Number(line), column: Number(column) };
  const lines = json.slice(0, Number(/position (\d+)/.exec(message)?.[1] ?? json.length)).split('\n');
  return { kind: 'position', line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function policyIn(value: unknown): ManagedPolicy {
  const file = objectIn(value, '');
  // The version is checked first: a later one may have other keys.
  if (file.version !== 1) throw new Malformed({ reason: 'unknown-version', found: showValue(file.version) });
  for (const key of Object.keys(file)) {
    if (!fileKeys.has(key)) throw unknownKey(key, [...fileKeys]);
  }
  const optional = <T>(key: string, read: (value: unknown, where: string) => T): T | undefined =>
    file[key] === undefined ? undefined : read(file[key], key);
  optional('$schema', textIn);
  const allowedRegions = optional('allowedRegions', listOf(oneOf(regions)));
  const allowedOrigins = optional('allowedOrigins', listOf(originIn));
  const allowedModels = optional('allowedModels', listOf(modelIn));
  const requireRecognition = optional('requireRecognition', flagIn);
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
    evidence: optional('evidence', evidenceIn) ?? {},
  };
}

const fileKeys = new Set([
  '$schema',
  'version',
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
  'evidence',
]);

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

function limitsIn(value: unknown, where: string): ManagedPolicy['limits'] {
  const limits: { requestBytes?: number; fileBytes?: number } = {};
  for (const [name, raw] of Object.entries(objectIn(value, where))) {
    if (name !== 'requestBytes' && name !== 'fileBytes') {
      throw unknownKey(`${where}.${name}`, ['requestBytes', 'fileBytes']);
    }
    if (!Number.isSafeInteger(raw) || Number(raw) < 0) {
      throw wrong(`${where}.${name}`, raw, { kind: 'bytes' });
    }
    limits[name] = Number(raw);
  }
  return limits;
}

function evidenceIn(value: unknown, where: string): EvidencePolicy {
  const found: { keepDays?: number; origin?: string } = {};
  for (const [name, raw] of Object.entries(objectIn(value, where))) {
    if (name === 'keepDays') {
      if (!Number.isSafeInteger(raw) || Number(raw) < 1) {
        throw wrong(`${where}.${name}`, raw, { kind: 'number', isWhole: true, minimum: 1 });
      }
      found.keepDays = Number(raw);
    } else if (name === 'origin') {
      if (typeof raw !== 'string' || !logName.test(raw)) throw wrong(`${where}.${name}`, raw, { kind: 'logName' });
      found.origin = raw;
    } else {
      throw unknownKey(`${where}.${name}`, ['keepDays', 'origin']);
    }
  }
  return found;
}

/** The log id follows after a slash. */
const logName = /^[A-Za-z0-9._~/-]{1,100}$/;

function objectIn(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw wrong(where, value, { kind: 'object' });
}

function textIn(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw wrong(where, value, { kind: 'string' });
}

function flagIn(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(where, value, { kind: 'oneOf', values: ['true', 'false'] });
}

type Reader<T> = (value: unknown, where: string) => T;

/** An empty list would allow nothing at all, which is never intended; for features, it disables none. */
function listOf<T>(item: Reader<T>, mayBeEmpty = false): Reader<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value) || (value.length === 0 && !mayBeEmpty)) {
      throw wrong(where, value, { kind: mayBeEmpty ? 'list' : 'listNotEmpty' });
    }
    return value.map((one, index) => item(one, `${where}[${index}]`));
  };
}

function oneOf<T extends string>(allowed: readonly T[]): Reader<T> {
  return (value, where) => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw wrong(where, value, { kind: 'oneOf', values: allowed });
    return found;
  };
}

function originIn(value: unknown, where: string): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (url !== null && isKeyOrigin(url) && url.origin === value) return url.origin;
  throw wrong(where, value, { kind: 'origin' });
}

function modelIn(value: unknown, where: string): string {
  if (typeof value === 'string' && /^[^\s*]+\*?$/.test(value)) return value;
  throw wrong(where, value, { kind: 'modelPattern' });
}

/** The error for a value that is not allowed; an empty path denotes the whole file. */
function wrong(path: string, value: unknown, allowed: Allowed): Malformed {
  return malformed(at(path), { kind: 'value', json: showValue(value) }, allowed);
}

function unknownKey(path: string, known: readonly string[]): Malformed {
  return malformed(at(path), { kind: 'unknownKey' }, { kind: 'oneOf', values: known });
}

function at(path: string): ManagedPlace {
  return path === '' ? { kind: 'file' } : { kind: 'key', path };
}

function malformed(where: ManagedPlace, found: ManagedFault, allowed: Allowed): Malformed {
  return new Malformed({ reason: 'malformed', where, found, allowed });
}

/** The administrator's minimum as the outermost layer; null if there is none. */
export function managedLayer(managed: ManagedState): Layer | null {
  if (managed.state !== 'in-force') return null;
  const { compliance: asked, allowedRegions = [] } = managed.policy;
  const [only, ...others] = allowedRegions;
  // If only one region is allowed, every request asks for it: without a header, the service would choose.
  const region = only !== undefined && others.length === 0 ? { [compliance.dataResidency.setting]: only } : {};
  return { layer: 'managed', values: { ...region, ...asked } };
}
