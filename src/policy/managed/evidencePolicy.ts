import type { AllowedKind } from '../allowed.ts';
import { mayReceiveKey } from '../origin.ts';
import { at, flagIn, malformed, unknownKey, wrong } from './fileValues.ts';

/** The policy for the audit log and its ledger. */
export interface EvidencePolicy {
  /** The number of days for which logs are kept. */
  readonly keepDays?: number;
  /** The prefix of the names of new ledgers. */
  readonly origin?: string;
  readonly otlp?: OtlpPolicy;
  /** Whether nothing is sent while more than {@link OtlpPolicy.backlogBytes} wait for delivery. Allowed only with `otlp`. */
  readonly required?: boolean;
}

/** The collector that gets every line of the log: OTLP/HTTP with JSON. */
export interface OtlpPolicy {
  /** The exact address, which ends in `/v1/logs`. */
  readonly url: string;
  /** The headers of each request, such as `Authorization`. Their values are secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The maximum backlog in bytes; default {@link defaultBacklogBytes}. */
  readonly backlogBytes?: number;
}

/** The default of the maximum backlog in bytes: about 100,000 lines. */
export const defaultBacklogBytes = 64 * 1024 * 1024;

const keys = ['keepDays', 'origin', 'otlp', 'required'] as const;
const otlpKeys = ['url', 'headers', 'backlogBytes'] as const;

export function evidenceIn(value: unknown, where: string): EvidencePolicy {
  const given = knownKeys(objectWithSecrets(value, where), keys, where);
  const { keepDays, origin } = given;
  if (keepDays !== undefined && !isWhole(keepDays, 1)) {
    throw wrong(`${where}.keepDays`, keepDays, { kind: 'number', isWhole: true, minimum: 1 });
  }
  if (origin !== undefined && (typeof origin !== 'string' || !logName.test(origin))) {
    throw wrong(`${where}.origin`, origin, { kind: 'logName' });
  }
  const otlp = given.otlp === undefined ? undefined : otlpIn(given.otlp, `${where}.otlp`);
  const required = given.required === undefined ? undefined : flagIn(given.required, `${where}.required`);
  if (required === true && otlp === undefined) throw wrong(`${where}.required`, true, { kind: 'onlyWithOtlp' });
  return {
    ...(keepDays === undefined ? {} : { keepDays }),
    ...(origin === undefined ? {} : { origin }),
    ...(otlp === undefined ? {} : { otlp }),
    ...(required === undefined ? {} : { required }),
  };
}

/** The pattern for the prefix of a ledger's name; a slash and the log id follow it. */
const logName = /^[A-Za-z0-9._~/-]{1,100}$/;

function otlpIn(value: unknown, where: string): OtlpPolicy {
  const { url, headers, backlogBytes } = knownKeys(objectWithSecrets(value, where), otlpKeys, where);
  if (typeof url !== 'string' || !isCollectorUrl(url))
    throw wrong(`${where}.url`, withoutUser(url), { kind: 'otlpUrl' });
  if (backlogBytes !== undefined && !isWhole(backlogBytes, minBacklogBytes)) {
    throw wrong(`${where}.backlogBytes`, backlogBytes, { kind: 'number', isWhole: true, minimum: minBacklogBytes });
  }
  return {
    url,
    ...(headers === undefined ? {} : { headers: headersIn(headers, `${where}.headers`) }),
    ...(backlogBytes === undefined ? {} : { backlogBytes }),
  };
}

/** The minimum of the limit in bytes: with a lower one, the records of a running request could already exceed it. */
const minBacklogBytes = 65_536;

/** Whether a URL follows the rules for the service's address: HTTPS, or HTTP to this machine; no user, query or fragment. */
function isCollectorUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const url = new URL(text);
  return mayReceiveKey(url) && url.username === '' && url.password === '' && url.pathname.endsWith('/v1/logs');
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?$/;
/** The headers that the extension or its HTTP stack sets. */
const ownHeaders =
  /^(host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|user-agent|accept.*|proxy-.*|cookie)$/i;

function headersIn(value: unknown, where: string): Readonly<Record<string, string>> {
  const given = objectWithSecrets(value, where);
  const names = new Set<string>();
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const isName = headerName.test(name) && !ownHeaders.test(name) && !names.has(name.toLowerCase());
      if (!isName) throw wrong(where, name, { kind: 'headerName' });
      names.add(name.toLowerCase());
      if (typeof text !== 'string' || !headerValue.test(text))
        throw secretValueError(`${where}.${name}`, 'headerValue');
      return [name, text];
    }),
  );
}

function knownKeys<K extends string>(
  given: Readonly<Record<string, unknown>>,
  known: readonly K[],
  where: string,
): Readonly<Partial<Record<K, unknown>>> {
  const names: readonly string[] = known;
  for (const name of Object.keys(given)) if (!names.includes(name)) throw unknownKey(`${where}.${name}`, known);
  return given as Partial<Record<K, unknown>>;
}

function isWhole(value: unknown, minimum: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= minimum;
}

function objectWithSecrets(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw secretValueError(where, 'object');
}

/** The error for a value that is not shown, because it may contain a secret. */
function secretValueError(where: string, kind: AllowedKind) {
  return malformed(at(where), { kind: 'value', json: '…' }, { kind });
}

function withoutUser(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/\/\/.*@/s, '//…@').replace(/[?#].*/s, '…') : (url ?? null);
}
