import type { AllowedKind } from '../allowed.ts';
import { isKeyOrigin } from '../connection.ts';
import { at, flagIn, malformed, unknownKey, wrong } from './fileValues.ts';

/** The policy for the audit log and its ledger. */
export interface EvidencePolicy {
  /** How long logs are kept, in days. */
  readonly keepDays?: number;
  /** What the names of new ledgers begin with. */
  readonly origin?: string;
  readonly otlp?: OtlpPolicy;
  /** Nothing is sent while more of the log waits for delivery than {@link OtlpPolicy.backlogBytes}. Only with `otlp`. */
  readonly required?: boolean;
}

/** The collector that gets every line of the log: OTLP/HTTP with JSON. */
export interface OtlpPolicy {
  /** The exact address, which ends in `/v1/logs`. */
  readonly url: string;
  /** Sent with each request, such as `Authorization`. The values are secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default {@link defaultBacklogBytes}. */
  readonly backlogBytes?: number;
}

/** Some 100,000 lines. */
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

/** The log id follows after a slash. */
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

/** Below it, the records of a request that is running could already be too many. */
const minBacklogBytes = 65_536;

/** As for the address of the service: encrypted, or within this machine; no user, query or fragment. */
function isCollectorUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const url = new URL(text);
  return isKeyOrigin(url) && url.username === '' && url.password === '' && url.pathname.endsWith('/v1/logs');
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?$/;
/** The extension or its HTTP stack sets these. */
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
      if (typeof text !== 'string' || !headerValue.test(text)) throw secret(`${where}.${name}`, 'headerValue');
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
  throw secret(where, 'object');
}

/** The error for a value that may have a secret in it, which is not shown. */
function secret(where: string, kind: AllowedKind) {
  return malformed(at(where), { kind: 'value', json: '…' }, { kind });
}

function withoutUser(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/\/\/.*@/s, '//…@').replace(/[?#].*/s, '…') : (url ?? null);
}
