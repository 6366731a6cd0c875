import type { ServiceError } from '../../util/errors.ts';
import type { Allowed } from '../allowed.ts';
import { showValue } from '../readValue.ts';

/** The reason why the file cannot be used; nothing is sent in that case. */
export type ManagedProblem =
  /** `detail` is the system's error code. */
  | { readonly reason: 'unreadable'; readonly detail: string }
  | ({ readonly reason: 'malformed' } & MalformedPlace)
  | { readonly reason: 'unknown-version'; readonly found: string }
  /** The extension's version is earlier than the minimum. `updateUrl`: where to get a later one. */
  | { readonly reason: 'old-version'; readonly own: string; readonly wanted: string; readonly updateUrl?: string }
  /** No delivered policy is kept that is valid at this time, and the next request fetches it. */
  | { readonly reason: 'not-fetched' }
  /** No delivered policy is kept. `fault` is the reason why the newest delivery was not accepted. */
  | { readonly reason: 'not-delivered'; readonly fault: DeliveryFault | null }
  /** The kept policy is not valid at this time. Times are milliseconds since the epoch. */
  | {
      readonly reason: 'expired';
      readonly issued: number;
      readonly expires: number;
      readonly fault: DeliveryFault | null;
    }
  /** The machine's own policy and the delivered one have no common value for a key. */
  | { readonly reason: 'conflict'; readonly key: string }
  /** A user who is not an administrator can change the file: `detail` is the path that they can write. */
  | { readonly reason: 'writable'; readonly detail: string };

/** The reason why a delivered policy was not accepted, so that the one before it stays, or why it was not stored. */
export type DeliveryFault =
  /** `host` is the host of the address. */
  | { readonly reason: 'unreachable'; readonly host: string; readonly error: ServiceError }
  | { readonly reason: 'not-signed' | 'other-origin' | 'too-large' }
  /** It applies in this window, but is not on the disk. `detail` is the code of the error. */
  | { readonly reason: 'not-stored'; readonly detail: string }
  | { readonly reason: 'older'; readonly serial: number; readonly kept: number }
  /** Another policy has the same serial. */
  | { readonly reason: 'same-serial'; readonly serial: number }
  /** It was issued in the future: `time` is in milliseconds since the epoch. */
  | { readonly reason: 'future'; readonly time: number }
  | { readonly reason: 'malformed'; readonly problem: ManagedProblem };

/** The invalid part of the file. */
interface MalformedPlace {
  readonly where: ManagedPlace;
  readonly found: ManagedFault;
  readonly allowed: Allowed;
}

export type ManagedPlace =
  | { readonly kind: 'file' }
  /** A path such as `limits.fileBytes` or `allowedModels[0]`. */
  | { readonly kind: 'key'; readonly path: string }
  /** A position in the text; both numbers are counted from 1. */
  | { readonly kind: 'position'; readonly line: number; readonly column: number };

export type ManagedFault =
  /** The value as JSON, shortened. */
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'notJson' | 'keyTwice' | 'unknownKey' | 'notUtf8' | 'notDelivered' };

/** Thrown if the file cannot be used. */
export class Malformed extends Error {
  readonly problem: ManagedProblem;

  constructor(problem: ManagedProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

export function objectIn(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw wrong(where, value, { kind: 'object' });
}

export function textIn(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw wrong(where, value, { kind: 'string' });
}

export function flagIn(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(where, value, { kind: 'oneOf', values: ['true', 'false'] });
}

type Reader<T> = (value: unknown, where: string) => T;

/** Reads a list. An empty list would allow nothing, which is never intended; an empty list of features disables none. */
export function listOf<T>(item: Reader<T>, mayBeEmpty = false): Reader<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value) || (value.length === 0 && !mayBeEmpty)) {
      throw wrong(where, value, { kind: mayBeEmpty ? 'list' : 'listNotEmpty' });
    }
    return value.map((one, index) => item(one, `${where}[${index}]`));
  };
}

export function oneOf<T extends string>(allowed: readonly T[]): Reader<T> {
  return (value, where) => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw wrong(where, value, { kind: 'oneOf', values: allowed });
    return found;
  };
}

/** The error for a value that is not allowed; an empty path denotes the whole file. */
export function wrong(path: string, value: unknown, allowed: Allowed): Malformed {
  return malformed(at(path), { kind: 'value', json: showValue(value) }, allowed);
}

export function unknownKey(path: string, known: readonly string[]): Malformed {
  return malformed(at(path), { kind: 'unknownKey' }, { kind: 'oneOf', values: known });
}

export function at(path: string): ManagedPlace {
  return path === '' ? { kind: 'file' } : { kind: 'key', path };
}

export function malformed(where: ManagedPlace, found: ManagedFault, allowed: Allowed): Malformed {
  return new Malformed({ reason: 'malformed', where, found, allowed });
}
