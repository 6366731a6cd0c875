import * as z from 'zod/mini';
import type { ToolDefinition } from '../../../client/chat.ts';
import { joinOwn, type OwnText, ownText } from '../../../session/tools/ownText.ts';

const path = z.string().check(z.minLength(1), z.maxLength(4_096));
const line = z.int().check(z.minimum(1));
const words = z.string().check(z.minLength(1), z.maxLength(500));

/** An argument of a tool: the schema that validates it, and the JSON schema for the model, which cannot read zod. */
interface Field<S extends z.ZodMiniType> {
  readonly schema: S;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

const text = <S extends z.ZodMiniType>(schema: S, description: string): Field<S> => ({
  schema,
  type: 'string',
  description,
});
const whole = <S extends z.ZodMiniType>(schema: S, description: string): Field<S> => ({
  schema,
  type: 'integer',
  description,
});
const flag = <S extends z.ZodMiniType>(schema: S, description: string): Field<S> => ({
  schema,
  type: 'boolean',
  description,
});

const aPath = 'As the other tools name it: below the workspace folder, such as src/app.ts.';

/** Our tools. The model's input is not trusted: invalid input is rejected before the user is asked. */
const tools = {
  read_file: {
    description:
      'Reads a text file of the workspace, or some lines of it. Each line has its number and | in front, which are not in the file. Long results are cut: ask for the other lines then.',
    fields: {
      path: text(path, aPath),
      firstLine: whole(z.optional(line), 'The first line to read, counted from 1.'),
      lastLine: whole(z.optional(line), 'The last line to read.'),
    },
  },
  list_files: {
    description: 'Lists the files of a folder of the workspace, at any depth.',
    fields: {
      path: text(
        z.optional(z.string().check(z.maxLength(4_096))),
        'A folder below the workspace folder; the whole workspace without it.',
      ),
    },
  },
  search_text: {
    description:
      'Searches the files of the workspace for a text, without regard to case, and lists the lines that have it.',
    fields: {
      query: text(words, 'The text as it stands in a line; no regular expression.'),
      files: text(z.optional(words), 'A glob of the files to search, such as **/*.ts; all without it.'),
    },
  },
  find_symbols: {
    description: 'Finds classes, functions and other symbols of the workspace by their name, with the place of each.',
    fields: { query: text(words, 'The name, or part of it.') },
  },
  get_problems: {
    description: 'Lists the errors and warnings that the editor shows for a file, or for all files.',
    fields: { path: text(z.optional(path), aPath) },
  },
  git_diff: {
    description: 'Shows what differs from the last commit in git.',
    fields: { staged: flag(z.optional(z.boolean()), 'Only what the next commit would hold.') },
  },
} as const;

type Tools = typeof tools;
export type ToolName = keyof Tools;
type Shape<N extends ToolName> = {
  [F in keyof Tools[N]['fields']]: Tools[N]['fields'][F] extends Field<infer S> ? S : never;
};
export type ToolInput<N extends ToolName> = z.infer<z.ZodMiniObject<Shape<N>>>;

export const toolNames = Object.keys(tools) as readonly ToolName[];

type FieldName = { [N in ToolName]: keyof Tools[N]['fields'] }[ToolName];

const fieldsOf = (name: ToolName) =>
  Object.entries(tools[name].fields) as readonly (readonly [FieldName, Field<z.ZodMiniType>])[];

export const toolInputs = Object.fromEntries(
  toolNames.map((name) => [
    name,
    z.object(Object.fromEntries(fieldsOf(name).map(([key, { schema }]) => [key, schema]))),
  ]),
) as unknown as { readonly [N in ToolName]: z.ZodMiniObject<Shape<N>> };

export const toolDefinitions: readonly ToolDefinition[] = toolNames.map((name) => {
  const fields = fieldsOf(name);
  const properties = Object.fromEntries(fields.map(([key, { type, description }]) => [key, { type, description }]));
  const required = fields.filter(([, { schema }]) => !schema.safeParse(undefined).success).map(([key]) => key);
  return { name, description: tools[name].description, schema: { type: 'object', properties, required } };
});

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolInputs, name);
}

/** Whether the tool takes an argument of that name. */
export function isField(name: string, key: string): boolean {
  return isToolName(name) && Object.hasOwn(tools[name].fields, key);
}

/** Why an input is invalid, as text for the model; null if it is valid. */
export function whyNotFitting(name: ToolName, input: unknown): OwnText | null {
  const parsed = toolInputs[name].safeParse(input);
  if (parsed.success) return null;
  const wrong = new Set(parsed.error.issues.map(({ path: [key] }) => key));
  const fields = fieldsOf(name).filter(([key]) => wrong.has(key));
  const expected = fields.map(([key, { type }]) => ownText`${key}: expected ${type}`);
  return ownText`Refused: the input does not fit. ${joinOwn(expected, ', ')}`;
}
