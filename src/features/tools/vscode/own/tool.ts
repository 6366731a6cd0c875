import * as z from 'zod/mini';
import type { JsonObject } from '../../../../client/answer/answerShape.ts';
import type { ToolDefinition } from '../../../../client/chat.ts';
import { escapeHidden } from '../../../../platform/messages/foreignText.ts';
import { joinOwn, type OwnText, ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';

/** An argument of a tool: the schema that validates it, and the parts of its JSON schema, which the model reads. */
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

/** The schema of a path by which the model names a file or folder. */
export const path = z.string().check(z.minLength(1), z.maxLength(4_096));
/** The schema of a line number, counted from 1. */
export const line = z.int().check(z.minimum(1));
/** The schema of a text to search for. */
export const words = z.string().check(z.minLength(1), z.maxLength(500));

export const aboutPath = 'As the other tools name it: below the workspace folder, such as src/app.ts.';

interface ToolParts<F extends Fields> {
  /** The name by which the model calls the tool. */
  readonly name: string;
  /** Describes the tool to the model. */
  readonly description: string;
  readonly fields: F;
  /** Returns the name of the tool in lists. */
  readonly title: () => string;
  /** Describes the tool to the user. */
  readonly does: () => string;
  /** Describes a call, as text that follows "Svc wants to", such as `read src/a.ts`. */
  readonly words: (input: InputOf<F>) => string;
  /** Runs the tool, which only reads. Returns content from the maker and text of our own. Throws a ToolRefusal. */
  readonly run: (input: InputOf<F>, signal: AbortSignal) => Promise<ToolOutput>;
}

/** One of the extension's own tools. Its input comes from a model and is not trusted. */
export interface OwnTool {
  readonly definition: ToolDefinition;
  readonly title: () => string;
  readonly does: () => string;
  /** The schema that the input must match. */
  readonly schema: z.ZodMiniType;
  readonly hasField: (key: string) => boolean;
  /** Describes a call; returns null if the input is invalid. */
  readonly words: (input: unknown) => string | null;
  /** Returns the reason why an input is invalid, as text for the model, or null if it is valid. */
  readonly whyNotFitting: (input: unknown) => OwnText | null;
  /** Runs the tool. Throws an error for an invalid input. */
  readonly run: (input: JsonObject, signal: AbortSignal) => Promise<ToolOutput>;
}

/** Defines a tool: its schema for the model, its validation, its texts for the user, and its function. */
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

/** The maximum length of a path or a text within the description of a call, in characters. */
export const maxPart = 200;

/** Returns a text that a model chose in a form for the description of a call: cut, in one line, and without hidden characters. */
export function shown(text: string): string {
  return escapeHidden(text.length > maxPart ? `${text.slice(0, maxPart)}…` : text).replaceAll('\n', '\\n');
}
