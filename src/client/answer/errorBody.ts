import { isObject, listOf, textOf } from './answerShape.ts';
import { type ContextLimit, contextLimitOf } from './contextLimit.ts';
import { refusesForm } from './formRefusal.ts';
import { type LastingRefusal, lastingRefusalOf } from './lastingRefusal.ts';
import { readJson } from './readJson.ts';
import { type ErrorBody, errorBodySchema } from './schemas.ts';
import type { KeyFilter } from './withoutKey.ts';

const maxMessageChars = 500;
const maxParameterChars = 200;

/** The parts of an error body that may be kept. */
interface ErrorWords {
  /** A machine code, such as insufficient_quota. May be logged. */
  readonly code?: string | undefined;
  /** The HTTP status contained in the body, as in errors inside a 200 response. */
  readonly status?: number | undefined;
  /** The service's message, shown only to the user: see ServiceErrorInit. */
  readonly serviceMessage?: string | undefined;
  /** The context limit, if the request exceeds it. */
  readonly contextLimit?: ContextLimit | null;
  /** The reason why sending the request again does not help, if there is one. */
  readonly lasting?: LastingRefusal | null;
  /** Whether the request was refused, although its status indicates a failure of the server. */
  readonly isRefused?: boolean;
  /** The field of the request that is wrong, as the service names it: `max_tokens`, `tools[3].function.parameters`. */
  readonly parameter?: string | undefined;
  /** Present if the body is a web page, which may not come from the service. */
  readonly isPage?: true;
}

/** Reads an error body of any shape and masks the key in all of it. `answered` is the status of its response. */
export function readErrorBody(body: string, filter: KeyFilter, answered?: number): ErrorWords {
  const { behind, ...own } = readOne(body, filter, answered);
  if (behind === undefined) return own;
  // A gateway passes on the error of the server behind it: its own message states only that there was an error.
  const { behind: _, isPage: __, ...theirs } = readOne(behind, filter, answered);
  const both = [own.serviceMessage, theirs.serviceMessage].filter((words) => words !== undefined).join(': ');
  return {
    code: own.code ?? theirs.code,
    status: own.status ?? theirs.status,
    serviceMessage: cleanWords(both === '' ? behind : both, filter),
    contextLimit: theirs.contextLimit ?? own.contextLimit ?? null,
    lasting: theirs.lasting ?? own.lasting ?? null,
    isRefused: own.isRefused || theirs.isRefused || false,
    parameter: theirs.parameter ?? own.parameter,
  };
}

function readOne(body: string, filter: KeyFilter, answered?: number): ErrorWords & { readonly behind?: string } {
  const value = readJson(body);
  if (typeof value === 'string' && value !== '') return readOne(value, filter, answered);
  // Some services send a list with one error.
  const parsed = errorBodySchema.safeParse(Array.isArray(value) ? value[0] : value);
  if (!parsed.success) {
    const plain = isPlainText(body, value) ? body : wordsInXml(body);
    if (plain === undefined) return /^\s*</.test(body) ? { isPage: true } : {};
    const facts = { status: answered, codes: [], message: plain, size: undefined };
    return { serviceMessage: cleanWords(plain, filter), ...meaningOf(facts) };
  }
  const { code } = parsed.data;
  const error = innerError(parsed.data);
  const inner = typeof error === 'object' ? error : undefined;
  const codes = [inner?.code, inner?.type, code].filter((value) => value !== undefined && value !== null).map(String);
  const status = (inner === undefined ? [code] : [inner.status, inner.code])
    .map(Number)
    .find((value) => value >= 400 && value < 600);
  const named = inner?.message ?? (typeof error === 'string' ? error : wordsOf(parsed.data));
  const { error_description: more } = parsed.data;
  const words = named && more ? `${named}: ${more}` : (named ?? more ?? wordsAnywhere(value));
  const wrapped = isObject(readJson(words ?? '')) ? words : undefined;
  const facts = { status: answered ?? status, codes, message: words ?? '', size: inner?.n_ctx };
  return {
    code: codes.find((word) => isMachineWord(word, filter)),
    status,
    serviceMessage: wrapped === undefined ? cleanWords(words, filter) : undefined,
    ...meaningOf(facts),
    parameter: cleanParameter(inner?.param ?? parsed.data.param ?? placeIn(parsed.data), filter),
    ...behindIn(inner?.metadata?.raw ?? wrapped),
  };
}

function meaningOf(facts: Parameters<typeof contextLimitOf>[0]) {
  return { contextLimit: contextLimitOf(facts), lasting: lastingRefusalOf(facts), isRefused: refusesForm(facts) };
}

function behindIn(raw: unknown): { readonly behind?: string } {
  if (raw === undefined || raw === null || raw === '') return {};
  return { behind: typeof raw === 'string' ? raw : JSON.stringify(raw) };
}

/** The place of the error in FastAPI's own refusals, which name it as a list: `["body", "tools", 3, "function"]`. */
function placeIn({ detail }: ErrorBody): string | undefined {
  if (!Array.isArray(detail)) return undefined;
  const [first] = detail;
  const place = first?.loc?.filter((part) => part !== 'body').join('.');
  return place === '' ? undefined : place;
}

/** Returns the parameter only if it looks like the name of a field. */
function cleanParameter(parameter: string | undefined, filter: KeyFilter): string | undefined {
  if (parameter === undefined || parameter.length > maxParameterChars) return undefined;
  return /^[\w.$:[\]'"-]+$/.test(parameter) && filter.text(parameter) === parameter ? parameter : undefined;
}

/**
 * Whether the body is a line of text that may help the user. A gateway's web page and truncated or unknown JSON are not such a
 * text.
 */
function isPlainText(body: string, value: unknown): boolean {
  // These two characters occur if the bytes are not text.
  const isText = !body.includes('\ufffd') && !body.includes('\0');
  return value === undefined && isText && !/^\s*([<{"]|\[\s*([[{"\d]|$))/.test(body);
}

/** The message of an error in XML, as AWS and older gateways send it; undefined for anything else. */
function wordsInXml(body: string): string | undefined {
  if (!/^\s*<(?:\?xml|(?:\w{1,20}:)?(?:error\w{0,20}|fault|envelope)\b)/i.test(body) || /<html\b/i.test(body))
    return undefined;
  const [, words] =
    /<(?:\w{1,20}:)?(?:message|faultstring|description|reason|text)\b[^<>]{0,100}>([^<]+)</i.exec(body) ?? [];
  return words?.trim() === '' ? undefined : words;
}

/** The object or the text with the error, by the names that services give to it. */
function innerError({ error, errors, detail }: ErrorBody) {
  if (isPresent(error)) return error;
  const [first] = errors ?? [];
  if (isPresent(first)) return first;
  return typeof detail === 'object' && !Array.isArray(detail) && detail !== null ? detail : undefined;
}

function isPresent<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

function wordsOf({ message, msg, error_msg, error_message, errorMessage, detail }: ErrorBody): string | undefined {
  const named = message ?? msg ?? error_msg ?? error_message ?? errorMessage;
  if (isPresent(named) || typeof detail === 'string') return named ?? String(detail);
  return Array.isArray(detail) ? detail.map((item) => item.msg ?? '').join('; ') : undefined;
}

const wordNames =
  /^(?:message|msg|status_msg|detail|details|reason|description|faultstring|title|text|error|errors|err)$/i;
/** The maximum depth, and the maximum number of values at each depth, that are searched for a message. */
const maxDepth = 5;
const maxPlaces = 200;

/** The message of an error of unknown shape: the one nearest to the top, found by the usual names of such a field. */
function wordsAnywhere(value: unknown): string | undefined {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const places = level.flatMap(placesIn).slice(0, maxPlaces);
    const named = places.find(([name, inner]) => wordNames.test(name) && textsOf(inner) !== '');
    if (named !== undefined) return textsOf(named[1]);
    level = places.map(([, inner]) => inner);
  }
  return undefined;
}

function placesIn(value: unknown): readonly (readonly [name: string, inner: unknown])[] {
  return isObject(value) ? Object.entries(value) : listOf(value).map((item) => ['', item]);
}

/** Returns a text, or joins a list of texts. */
function textsOf(value: unknown): string {
  const all = listOf(value);
  return all.length > 0 && all.every((one) => typeof one === 'string') ? all.join('; ') : textOf(value);
}

/** Whether a text looks like a code: codes are logged, so no other text may pass. */
function isMachineWord(word: string, filter: KeyFilter): boolean {
  return /^[\w.-]{1,64}$/.test(word) && filter.text(word) === word && !/svc_ent_/i.test(word);
}

function cleanWords(words: string | undefined, filter: KeyFilter): string | undefined {
  if (words === undefined) return undefined;
  // This also masks other keys of this service.
  const masked = filter.text(words).replaceAll(/svc_ent_[\w-]+/g, 'svc_ent_***');
  // Cc and Cf are control characters, and invisible characters that reorder or hide text.
  const clean = masked.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (clean === '') return undefined;
  return clean.length <= maxMessageChars ? clean : `${clean.slice(0, maxMessageChars - 1).toWellFormed()}…`;
}
