/**
 * How an answer's JSON is read: by hand, because each of its chunks comes by here and zod took half of the time of a
 * fast stream. What the interface document leaves "not shown" is optional, and what has another type than expected
 * counts as absent.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** JSON can say 1e999, which is no count of anything. */
export function numberOf(value: unknown): number | undefined {
  return Number.isFinite(value) ? Number(value) : undefined;
}
