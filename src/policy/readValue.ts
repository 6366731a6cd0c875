import { holdsKey, withoutKeys } from './files/keyInSettings.ts';
import { isModelWindow, modelOfWindow } from './modelWindows.ts';
import { type SettingKey, type SettingSpec, settings } from './settings.ts';

/** The value of a key in a layer: unset, valid, or invalid, which must block. */
type ReadValue =
  | { readonly is: 'unset' }
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'invalid' };

/** Checks one raw value against the table, which defines the meaning of null and of an empty text. Never coerces values. */
export function readValue(key: SettingKey, raw: unknown): ReadValue {
  const spec: SettingSpec = settings[key];
  if (raw === null && spec.isNullValue) return { is: 'value', value: null };
  if (raw === undefined || (raw === null && spec.nullable) || (raw === '' && spec.emptyIsUnset)) return { is: 'unset' };
  // A setting must not contain an API key: it would be sent as a model name or in an address.
  return isAllowed(spec, raw) && !holdsKey(raw) ? { is: 'value', value: raw } : { is: 'invalid' };
}

function isAllowed(spec: SettingSpec, raw: unknown): boolean {
  switch (spec.type) {
    case 'string':
      return (
        typeof raw === 'string' &&
        (spec.values === undefined || spec.values.includes(raw)) &&
        !(spec.wire === 'model' && raw.trim() === '')
      );
    case 'boolean':
      return typeof raw === 'boolean';
    case 'number':
      return typeof raw === 'number' && Number.isFinite(raw) && isWithin(spec, raw);
    case 'integer':
      return Number.isSafeInteger(raw) && isWithin(spec, Number(raw));
    case 'string[]':
      return (
        Array.isArray(raw) &&
        raw.every((item) => typeof item === 'string' && (spec.values === undefined || spec.values.includes(item)))
      );
    case 'connections':
      return Array.isArray(raw) && raw.every(isConnection);
    case 'windows':
      return Array.isArray(raw) && raw.every(isModelWindow) && new Set(raw.map(modelOfWindow)).size === raw.length;
    case 'helper':
      return isHelper(raw);
  }
}

/**
 * Whether a value is empty, or names a program and at most one valid origin. wrongHelperField() checks the rest before the program
 * starts.
 */
function isHelper(raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  const { command, origin } = raw as Readonly<Record<string, string | undefined>>;
  const isOrigin = origin === undefined || URL.parse(origin)?.origin === origin;
  return Array.isArray(command) ? isOrigin : Object.keys(raw).length === 0;
}

function isWithin(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: SettingSpec,
  raw: number,
) {
  return raw >= minimum && raw <= maximum;
}

function isConnection(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const { name, baseUrl } = item as { name?: unknown; baseUrl?: unknown };
  return typeof name === 'string' && name.trim() !== '' && typeof baseUrl === 'string';
}

const listOfWords = /^\[(?!"null"\])(("[\w.-]+",?)+)\]$/;

/** Formats a value for a message, shortened and without a key: a list of words as `hipaa, gdpr`, any other value as JSON. */
export function showValue(raw: unknown): string {
  const words = (_: string, list: string): string => list.replaceAll('"', '').replaceAll(',', ', ');
  const text = withoutKeys(jsonOf(raw).replace(listOfWords, words));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function jsonOf(raw: unknown): string {
  try {
    return JSON.stringify(raw) ?? String(raw);
  } catch {
    // A workspace can nest a value too deeply to be written. It must still block with a readable message.
    return Array.isArray(raw) ? '[…]' : '{…}';
  }
}
