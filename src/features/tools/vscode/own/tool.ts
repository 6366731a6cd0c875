import * as z from 'zod/mini';
import type { JsonObject } from '../../../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../../../client/chat.ts';
import { escapeHidden } from '../../../../platform/messages/foreignText.ts';
import { joinOwn, type OwnText, ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';

/** An argument of a tool: the schema that validates it, and the JSON schema for the model, which cannot read zod. */
interface Field<S extends z.ZodMiniType> {
  readonly schema: S;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

/** The names of all fields: only text that is written in our sources can be named in own text. */
type FieldName = 'path' | 'firstLine' | 'lastLine' | 'query' | 'files' | 'staged';
type Fields = { readonly [N in FieldName]?: Field<z.ZodMiniType> };
type Shape<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer S> ? S : never };
type InputOf<F extends Fields> = z.infer<z.ZodMiniObject<Shape<F>>>;

const fieldOf =
  (type: Field<z.ZodMiniType>['type']) =>
  <S extends z.ZodMiniType>(schema: S, description: string): Field<S> => ({ schema, type, description });

export const text = fieldOf('string');
export const whole = fieldOf('integer');
export const flag = fieldOf('boolean');

/** A file or folder as the model names it. */
export const path = z.string().check(z.minLength(1), z.maxLength(4_096));
/** The number of a line, counted from 1. */
export const line = z.int().check(z.minimum(1));
/** What is searched for. */
export const words = z.string().check(z.minLength(1), z.maxLength(500));

export const aboutPath = 'As the other tools name it: below the workspace folder, such as src/app.ts.';

interface ToolParts<F extends Fields> {
  /** What the model calls. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  readonly fields: F;
  /** Its name in lists. */
  readonly title: () => string;
  /** What it does, for the user. */
  readonly does: () => string;
  /** What a call does, to follow "Svc wants to": `read src/a.ts`. */
  readonly words: (input: InputOf<F>) => string;
  /** Reads, and returns content of the maker and own text. Throws a ToolRefusal. */
  readonly run: (input: InputOf<F>, signal: AbortSignal) => Promise<ToolOutput>;
}

/** One of our tools. Its input comes from a model and is not trusted. */
export interface OwnTool {
  readonly definition: ToolDefinition;
  readonly title: () => string;
  readonly does: () => string;
  /** The schema that is enforced. */
  readonly schema: z.ZodMiniType;
  readonly hasField: (key: string) => boolean;
  /** A call in words; null if the input is invalid. */
  readonly words: (input: unknown) => string | null;
  /** Why an input is invalid, as text for the model; null if it is valid. */
  readonly whyNotFitting: (input: unknown) => OwnText | null;
  /** Throws an error for an invalid input. */
  readonly run: (input: JsonObject, signal: AbortSignal) => Promise<ToolOutput>;
}

/** Defines a tool: its schema for the model, its validation, its words for the user, and what it does. */
export function defineTool<const F extends Fields>(parts: ToolParts<F>): OwnTool {
  const { name, description, fields } = parts;
  const named = Object.entries(fields) as readonly (readonly [FieldName, Field<z.ZodMiniType>])[];
  const shape = Object.fromEntries(named.map(([key, { schema }]) => [key, schema])) as Shape<F>;
  const schema = z.object(shape);
  const properties = Object.fromEntries(named.map(([key, { type, description }]) => [key, { type, description }]));
  const required = named.filter(([, field]) => !field.schema.safeParse(undefined).success).map(([key]) => key);
  return {
    ...parts,
    definition: { name, description, schema: { type: 'object', properties, required } },
    schema,
    hasField: (key) => Object.hasOwn(fields, key),
    words: (input) => {
      const parsed = schema.safeParse(input);
      return parsed.success ? parts.words(parsed.data) : null;
    },
    whyNotFitting: (input) => {
      const parsed = schema.safeParse(input);
      if (parsed.success) return null;
      const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0]));
      const expected = named
        .filter(([key]) => wrong.has(key))
        .map(([key, { type }]) => ownText`${key}: expected ${type}`);
      return ownText`Refused: the input does not fit. ${joinOwn(expected, ', ')}`;
    },
    run: (input, signal) => parts.run(schema.parse(input), signal),
  };
}

/** The maximum length of a path or a text within the words of a call. */
export const maxPart = 200;

/** A text that a model chose, for the words of a call: cut, in one line, and with nothing hidden. */
export function shown(text: string): string {
  return escapeHidden(text.length > maxPart ? `${text.slice(0, maxPart)}…` : text).replaceAll('\n', '\\n');
}
