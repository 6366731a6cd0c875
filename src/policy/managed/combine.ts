import {
  type ComplianceField,
  type ComplianceKey,
  complianceFields,
  compliance as table,
} from '../compliance/compliance.ts';
import { strictestApproval } from '../toolApproval.ts';
import type { EvidencePolicy } from './evidencePolicy.ts';
import type { ManagedPolicy } from './managedPolicy.ts';
import { allowedByBoth, type ToolRules } from './toolRules.ts';

/** Both parts of a policy set a key, and no value satisfies both. `key` is a path such as `compliance.dataResidency`. */
export class PolicyConflict extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`The parts of the policy have no common value for ${key}.`);
    this.key = key;
  }
}

type Rule<T> = (one: T, other: T, key: string) => T;
type Rules<T> = { readonly [K in keyof T]-?: Rule<NonNullable<T[K]>> };

const either: Rule<boolean> = (one, other) => one || other;
const least: Rule<number> = (one, other) => Math.min(one, other);
const most: Rule<number> = (one, other) => Math.max(one, other);
/** Takes the value of the machine's own file. */
const first = <T>(one: T): T => one;
const union = <T>(one: readonly T[], other: readonly T[]): readonly T[] => [...new Set([...one, ...other])];

/** Returns the common items. A list without items would allow nothing, which is never intended. */
function common<T>(one: readonly T[], other: readonly T[], key: string): readonly T[] {
  const found = one.filter((item) => other.includes(item));
  if (found.length === 0) throw new PolicyConflict(key);
  return found;
}

/** Whether every model that matches the second pattern matches the first one. */
function covers(one: string, other: string): boolean {
  return one.endsWith('*') ? other.startsWith(one.slice(0, -1)) : one === other;
}

/** Returns patterns that match the models that both lists match. */
function commonPatterns(one: readonly string[], other: readonly string[], key: string): readonly string[] {
  const found = [
    ...one.filter((pattern) => other.some((wider) => covers(wider, pattern))),
    ...other.filter((pattern) => one.some((wider) => covers(wider, pattern))),
  ];
  if (found.length === 0) throw new PolicyConflict(key);
  return [...new Set(found)];
}

/** Returns a value that satisfies both, by the way in which the layers of this field combine. */
function strictest(field: ComplianceField, one: unknown, other: unknown): unknown {
  const { values, combine } = table[field];
  if (one === null || other === null || one === other) return one ?? other;
  if (combine === 'union') return union(one as readonly unknown[], other as readonly unknown[]);
  if (combine === 'agree') throw new PolicyConflict(`compliance.${field}`);
  const place = (value: unknown): number => (values as readonly unknown[]).indexOf(value);
  return place(one) > place(other) ? one : other;
}

function strictestOfEach(one: ManagedPolicy['compliance'], other: ManagedPolicy['compliance']) {
  const found: Partial<Record<ComplianceKey, unknown>> = { ...one };
  for (const field of complianceFields) {
    const { setting } = table[field];
    if (Object.hasOwn(other, setting)) found[setting] = strictest(field, one[setting] ?? null, other[setting]);
  }
  return found;
}

const toolLimits = eachOf<ToolRules>({
  // These two are combined together.
  allow: first,
  alsoAllow: first,
  deny: union,
  approval: strictestApproval,
  maxCalls: least,
});

/** How each key combines: only so that the result is at least as strict as both. The compiler asks for a new key. */
const rules: Rules<ManagedPolicy> = {
  compliance: strictestOfEach,
  allowedRegions: common,
  allowedOrigins: common,
  allowedModels: commonPatterns,
  requireAuditLog: either,
  requirePreview: either,
  forbidUnmaskedSecrets: either,
  requireRecognition: either,
  limits: eachOf<ManagedPolicy['limits']>({
    requestBytes: least,
    fileBytes: least,
    requestsPerDay: least,
    tokensPerDay: least,
  }),
  disabledFeatures: union,
  tools: (one, other, key) => ({ ...toolLimits(one, other, key), ...allowedByBoth(one, other) }),
  changes: eachOf<NonNullable<ManagedPolicy['changes']>>({ requireReview: either }),
  // A collector is named only in the machine's own file.
  evidence: eachOf<EvidencePolicy>({ keepDays: most, origin: first, otlp: first, required: either }),
  // Any name is more evidence than none.
  identity: (one, other) => (one === 'none' ? other : one),
  // The machine's own instructions come first.
  instructions: (one, other) => (one === other ? one : `${one}\n\n${other}`),
  instructionsFile: first,
  credentials: first,
  source: first,
  ignored: union,
};

function eachOf<T extends object>(inner: Rules<T>): Rule<T> {
  return (one, other, key) => combined(inner, one, other, key === '' ? '' : `${key}.`);
}

function combined<T extends object>(inner: Rules<T>, one: T, other: T, prefix: string): T {
  const found: Partial<T> = { ...one };
  for (const key of Object.keys(other) as (keyof T & string)[]) {
    const [mine, theirs] = [one[key], other[key]];
    if (theirs === undefined) continue;
    found[key] =
      mine === undefined || mine === null
        ? theirs
        : inner[key](mine, theirs as NonNullable<typeof theirs>, `${prefix}${key}`);
  }
  return found as T;
}

/**
 * Combines the machine's own policy with one that is delivered, so that each can only add to what the other requires. Throws a
 * PolicyConflict.
 */
export function combinePolicies(own: ManagedPolicy, delivered: ManagedPolicy): ManagedPolicy {
  const found = combined(rules, own, delivered, '');
  if (!keepsAllLogs(own) && !keepsAllLogs(delivered)) return found;
  const { keepDays: _, ...evidence } = found.evidence;
  return { ...found, evidence };
}

/** Whether a policy has rules for the audit log, but not for how long logs are kept: then none is removed. */
function keepsAllLogs({ requireAuditLog, evidence }: ManagedPolicy): boolean {
  return evidence.keepDays === undefined && (requireAuditLog || Object.keys(evidence).length > 0);
}
