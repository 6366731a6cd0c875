import type { EvidencePolicy } from './evidencePolicy.ts';
import { at, listOf, Malformed, type ManagedProblem, malformed, objectIn, unknownKey, wrong } from './fileValues.ts';
import type { ManagedPolicy } from './managedPolicy.ts';
import { jsonIn, originIn, policyIn } from './parseManagedPolicy.ts';

/** A policy that is delivered to many machines. Its signature has been verified. */
export interface DeliveredPolicy {
  /** Grows with each policy: an earlier one does not replace a later one. */
  readonly serial: number;
  /** Milliseconds since the epoch. */
  readonly issued: number;
  readonly expires: number;
  /** The origins from which it may be delivered. */
  readonly origins: readonly string[];
  /** The policy, or the reason why this version cannot apply it, so that nothing is sent. */
  readonly policy: ManagedPolicy | ManagedProblem;
}

const keys = ['version', 'serial', 'issued', 'expires', 'origins', 'policy'];

/**
 * Whether a delivered policy may have a key. One that runs a program, names a file, or moves data on every machine is only in the
 * machine's own file. The compiler asks for a new key.
 */
const isDeliverable: { readonly [K in keyof Required<ManagedPolicy>]: boolean } = {
  ...{ compliance: true, allowedRegions: true, allowedOrigins: true, allowedModels: true, requireAuditLog: true },
  ...{
    requirePreview: true,
    forbidUnmaskedSecrets: true,
    requireRecognition: true,
    limits: true,
    disabledFeatures: true,
  },
  ...{ tools: true, changes: true, evidence: true, identity: true, instructions: true, ignored: true },
  ...{ instructionsFile: false, credentials: false, source: false },
};
const isDeliverableEvidence: { readonly [K in keyof Required<EvidencePolicy>]: boolean } = {
  ...{ keepDays: true, origin: true, otlp: false, required: false },
};

const forbidden: readonly (readonly string[])[] = [
  ...forbiddenIn(isDeliverable).map((key) => [key]),
  ...forbiddenIn(isDeliverableEvidence).map((key) => ['evidence', key]),
];

function forbiddenIn(table: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(table).filter((key) => !table[key]);
}

/**
 * Parses the text of a delivered policy. Throws a Malformed if it is none. If it is one, but has an unknown or invalid key in its
 * policy, the problem is in the result.
 */
export function parseDelivered(text: string, extensionVersion: string): DeliveredPolicy {
  const given = objectIn(jsonIn(text), '');
  if (given.version !== 1) throw wrong('version', given.version, { kind: 'oneOf', values: ['1'] });
  for (const key of Object.keys(given)) if (!keys.includes(key)) throw unknownKey(key, keys);
  const { serial } = given;
  if (!Number.isSafeInteger(serial) || Number(serial) < 0)
    throw wrong('serial', serial, { kind: 'number', isWhole: true, minimum: 0 });
  const [issued, expires] = [timeIn(given.issued, 'issued'), timeIn(given.expires, 'expires')];
  if (expires <= issued) throw wrong('expires', given.expires, { kind: 'later' });
  return {
    ...{ serial: Number(serial), issued, expires },
    origins: listOf(originIn)(given.origins, 'origins'),
    policy: deliveredIn(given.policy, extensionVersion),
  };
}

function deliveredIn(value: unknown, extensionVersion: string): ManagedPolicy | ManagedProblem {
  try {
    const given = objectIn(value, 'policy');
    for (const path of forbidden) {
      const isThere = (from: unknown): boolean => path.reduce(inside, from) !== undefined;
      if (isThere(given) || isThere(given.optional))
        throw malformed(at(path.join('.')), { kind: 'notDelivered' }, { kind: 'ownFile' });
    }
    return policyIn({ version: 1, ...given }, extensionVersion);
  } catch (error) {
    if (error instanceof Malformed) return error.problem;
    throw error;
  }
}

function inside(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** An RFC 3339 time in UTC, to the second. */
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function timeIn(value: unknown, where: string): number {
  const time = typeof value === 'string' && timePattern.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString() !== String(value).replace('Z', '.000Z'))
    throw wrong(where, value, { kind: 'time' });
  return time;
}
