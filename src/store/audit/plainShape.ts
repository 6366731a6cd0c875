import type * as z from 'zod/mini';
import { count, maxWord, word } from '../../protocol/audit/auditRequest.ts';

type Fits = (value: unknown) => boolean;

/** The parts of a schema that are read here: zod documents them for other libraries. */
interface Definition {
  readonly type: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

/**
 * Whether the schema accepts a JSON value without a change. If this is false, the schema decides: it may still accept it. This is
 * several times as fast as the schema, which copies each value, and a log has hundreds of thousands of records.
 */
export function fitsPlainly(schema: z.ZodMiniType): Fits {
  if (schema === word) return (value) => typeof value === 'string' && value.length <= maxWord;
  if (schema === count) return Number.isFinite;
  const { type, entries = {}, values = [], innerType, element, shape } = schema._zod.def as Definition;
  if (type === 'boolean') return (value) => typeof value === 'boolean';
  if (type === 'enum' || type === 'literal') return fitsOneOf([...Object.values(entries), ...values]);
  if (type === 'optional' && innerType !== undefined) return fitsPlainly(innerType);
  if (type === 'array' && element !== undefined) return fitsAll(fitsPlainly(element));
  return type === 'object' && shape !== undefined ? fitsObject(shape) : () => false;
}

function fitsOneOf(values: readonly unknown[]): Fits {
  const known = new Set(values);
  return (value) => known.has(value);
}

function fitsAll(fits: Fits): Fits {
  return (value) => Array.isArray(value) && value.every((each) => fits(each));
}

/** Accepts an object without unknown fields, which the schema would leave out. */
function fitsObject(shape: Readonly<Record<string, z.ZodMiniType>>): Fits {
  const fields = new Map(Object.entries(shape).map(([name, schema]) => [name, fitsPlainly(schema)]));
  const isOptional = (schema: z.ZodMiniType): boolean => schema._zod.def.type === 'optional';
  const required = Object.keys(shape).filter((name) => !isOptional(shape[name] as z.ZodMiniType));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const held = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(held)) if (fields.get(name)?.(held[name]) !== true) return false;
    return required.every((name) => Object.hasOwn(held, name));
  };
}
