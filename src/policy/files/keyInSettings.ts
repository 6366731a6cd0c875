import { settings } from '../settings.ts';

const key = /svc_ent_[\w-]+/g;
/** The likely names of a setting that holds a key, after the last dot. */
const nameOfKey = /api[-_]?key|token|secret|password|credential/i;
/** The maximum depth that is searched; settings are never nested deeper. */
const maxDepth = 50;

/** Returns a text for display, without keys. */
export function withoutKeys(text: string): string {
  return text.replace(key, 'svc_ent_…');
}

/** Whether a value contains a key, at any depth. */
export function holdsKey(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.search(key) >= 0;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false;
  return Object.entries(value).some(([name, inner]) => holdsKey(name) || holdsKey(inner, depth + 1));
}

/** Returns the line, counted from 1, of the first key in the text of a settings file, or null. */
export function lineOfKey(text: string): number | null {
  const at = text.search(key);
  return at < 0 ? null : text.slice(0, at).split(/\r\n?|\n/).length;
}

/**
 * Returns the settings below `svc` in a layer that hold a key: a key in any value, or any text under a name such as
 * `svc.apiKey`. A name that itself contains a key is shortened.
 */
export function settingsWithKey(value: unknown, path = 'svc', depth = 0): readonly string[] {
  if (path in settings) return holdsKey(value) ? [path] : [];
  if (typeof value === 'string') {
    return value.trim() !== '' && (holdsKey(value) || nameOfKey.test(path.slice(path.lastIndexOf('.') + 1)))
      ? [withoutKeys(path)]
      : [];
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    holdsKey(name) ? [withoutKeys(`${path}.${name}`)] : settingsWithKey(inner, `${path}.${name}`, depth + 1),
  );
}
