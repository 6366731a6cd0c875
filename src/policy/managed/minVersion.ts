import { Malformed, wrong } from './fileValues.ts';

/** A version as `major.minor.patch`. */
const pattern = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/**
 * Checks the keys `minVersion` and `updateUrl`. Throws a Malformed if this version of the extension is earlier than the minimum.
 * `own` may have a suffix, such as `1.2.3-beta`, which is ignored.
 */
export function checkMinVersion({ minVersion, updateUrl }: Readonly<Record<string, unknown>>, own: string): void {
  const url = updateUrl === undefined ? undefined : urlIn(updateUrl);
  if (minVersion === undefined) return;
  const wanted = typeof minVersion === 'string' ? numbersOf(minVersion) : null;
  if (wanted === null) throw wrong('minVersion', minVersion, { kind: 'version' });
  const found = numbersOf(own.replace(/[-+].*$/s, ''));
  if (found !== null && compare(found, wanted) >= 0) return;
  throw new Malformed({
    ...{ reason: 'old-version', own, wanted: String(minVersion) },
    ...(url === undefined ? {} : { updateUrl: url }),
  });
}

function urlIn(value: unknown): string {
  const isText = typeof value === 'string' && value.length <= 2_000 && !/[\s\p{Cc}]/u.test(value);
  const url = isText && URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw wrong('updateUrl', value, { kind: 'httpsUrl' });
  return url.href;
}

function numbersOf(version: string): readonly number[] | null {
  return pattern.exec(version)?.slice(1).map(Number) ?? null;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((number, index) => number !== other[index]);
  return differs < 0 ? 0 : (one[differs] ?? 0) - (other[differs] ?? 0);
}
