import { duplicateKey } from '../../../policy/files/duplicateKey.ts';
import { mayReceiveKey } from '../../../policy/origin.ts';
import type { HelperFault, HelperField } from '../../../util/errors.ts';

/** The key that a credential helper printed. */
export interface HelperAnswer {
  readonly key: string;
  /** Milliseconds since the epoch; undefined if the helper does not say when the key expires. */
  readonly expiresAt?: number;
  /** The user or account that the key is for. */
  readonly subject?: string;
}

/** The page on which the user signs in, and the code to enter there. */
export interface SignIn {
  readonly visit: string;
  readonly code?: string;
}

/** Thrown for an output that is not what a helper may print. */
export class HelperError extends Error {
  readonly fault: HelperFault;

  constructor(fault: HelperFault) {
    // The output can have the key, so the message has none of it.
    super(`The credential helper gave no key: ${fault.is}.`);
    this.fault = fault;
  }
}

/** Reads the output of a helper that has ended, without the line with a page. Throws a HelperError. */
export function readHelperAnswer(output: Uint8Array): HelperAnswer {
  const { key, expiresAt, subject, ...others } = objectIn(output);
  if (Object.keys(others).length > 0) throw wrongField('other');
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,16000}$/.test(key)) throw wrongField('key');
  if (subject !== undefined && !isText(subject, 200)) throw wrongField('subject');
  return {
    key,
    ...(expiresAt === undefined ? {} : { expiresAt: timeIn(expiresAt) }),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** Reads the first line of an output; null if it is not about a page. Throws a HelperError for one that may not be shown. */
export function readSignIn(line: Uint8Array): SignIn | null {
  let given: Readonly<Record<string, unknown>>;
  try {
    given = objectIn(line);
  } catch {
    // It may be the beginning of an answer over several lines.
    return null;
  }
  if (!Object.hasOwn(given, 'visit')) return null;
  const { visit, code, ...others } = given;
  if (Object.keys(others).length > 0) throw wrongField('other');
  if (!isPage(visit)) throw wrongField('visit');
  if (code !== undefined && !isText(code, 100)) throw wrongField('code');
  return { visit, ...(code === undefined ? {} : { code }) };
}

function objectIn(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
    if (duplicateKey(text) !== null) throw new HelperError({ is: 'not-json' });
  } catch {
    throw new HelperError({ is: 'not-json' });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new HelperError({ is: 'not-json' });
}

/** A time with its zone: without one, it would depend on the machine. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

function timeIn(value: unknown): number {
  const at = typeof value === 'string' && time.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw wrongField('expiresAt');
  return at;
}

function isText(value: unknown, maxChars: number): value is string {
  return (
    typeof value === 'string' && value.trim() !== '' && value.length <= maxChars && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value)
  );
}

/** Whether a value is the address of a page. A user name could look like the host that it opens. */
function isPage(value: unknown): value is string {
  const url = typeof value === 'string' && /^[\x21-\x7e]{1,2000}$/.test(value) ? URL.parse(value) : null;
  return url !== null && mayReceiveKey(url) && url.username === '' && url.password === '';
}

function wrongField(field: HelperField): HelperError {
  return new HelperError({ is: 'wrong-field', field });
}
