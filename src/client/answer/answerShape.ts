/**
 * Readers for an answer's JSON. They are written by hand because every chunk passes through them, and zod took half of the time
 * of a fast stream. Fields that the interface document marks "not shown" are optional; a field of an unexpected type is treated
 * as missing.
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

/** Returns a finite number, or undefined: JSON allows 1e999, which parses to Infinity and is not a valid count. */
export function numberOf(value: unknown): number | undefined {
  return Number.isFinite(value) ? Number(value) : undefined;
}
