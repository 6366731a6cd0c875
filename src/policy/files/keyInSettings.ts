import { settings } from '../settings.ts';

const key = /svc_ent_[\w-]+/g;
/** Names that somebody may give a setting that holds a key. */
const nameOfKey = /(api[-_]?key|token|secret|password|credential)[^.]*$/i;
/** Whatever is nested deeper is no setting. */
const maxDepth = 50;

/** A text as it may be shown: without a key. */
export function withoutKeys(text: string): string {
  return text.replace(key, 'svc_ent_…');
}

/** Does a value hold a key, at any depth? */
export function holdsKey(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.search(key) >= 0;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false;
  return Object.entries(value).some(([name, inner]) => holdsKey(name) || holdsKey(inner, depth + 1));
}

/** The line, counted from 1, of the first key in the text of a settings file; null where there is none. */
export function lineOfKey(text: string): number | null {
  const at = text.search(key);
  return at < 0 ? null : text.slice(0, at).split(/\r\n?|\n/).length;
}

/**
 * The settings that hold a key, of all that a layer has below `svc`: a key in any value, or any text under a name such as
 * `svc.apiKey`. Shortened where the name itself holds one.
 */
export function settingsWithKey(value: unknown, path = 'svc', depth = 0): readonly string[] {
  if (path in settings) return holdsKey(value) ? [path] : [];
  if (typeof value === 'string') {
    return value.trim() !== '' && (holdsKey(value) || nameOfKey.test(path)) ? [withoutKeys(path)] : [];
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    holdsKey(name) ? [withoutKeys(`${path}.${name}`)] : settingsWithKey(inner, `${path}.${name}`, depth + 1),
  );
}
