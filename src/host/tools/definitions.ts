import * as z from 'zod/mini';
import type { ToolDefinition } from '../../client/chat.ts';

const path = z.string().check(z.minLength(1), z.maxLength(4_096));
const line = z.int().check(z.minimum(1));
const words = z.string().check(z.minLength(1), z.maxLength(500));

/** What each of our tools takes. The model is not believed: what does not fit is refused before anybody is asked. */
export const toolInputs = {
  read_file: z.object({ path, firstLine: z.optional(line), lastLine: z.optional(line) }),
  list_files: z.object({ path: z.optional(z.string().check(z.maxLength(4_096))) }),
  search_text: z.object({ query: words, files: z.optional(words) }),
  find_symbols: z.object({ query: words }),
  get_problems: z.object({ path: z.optional(path) }),
  git_diff: z.object({ staged: z.optional(z.boolean()) }),
} as const;

export type ToolName = keyof typeof toolInputs;
export type ToolInput<N extends ToolName> = z.infer<(typeof toolInputs)[N]>;

export const toolNames = Object.keys(toolInputs) as readonly ToolName[];

const aPath = 'As the other tools name it: below the workspace folder, such as src/app.ts.';

/** The same for the model, which reads no zod; a test compares the two. */
const schemas: Readonly<Record<ToolName, readonly [description: string, properties: object, required: string[]]>> = {
  read_file: [
    'Reads a text file of the workspace, or some lines of it. Long results are cut: ask for the other lines then.',
    {
      path: { type: 'string', description: aPath },
      firstLine: { type: 'integer', description: 'The first line to read, counted from 1.' },
      lastLine: { type: 'integer', description: 'The last line to read.' },
    },
    ['path'],
  ],
  list_files: [
    'Lists the files of a folder of the workspace, at any depth.',
    { path: { type: 'string', description: 'A folder below the workspace folder; the whole workspace without it.' } },
    [],
  ],
  search_text: [
    'Searches the files of the workspace for a text, without regard to case, and lists the lines that have it.',
    {
      query: { type: 'string', description: 'The text as it stands in a line; no regular expression.' },
      files: { type: 'string', description: 'A glob of the files to search, such as **/*.ts; all without it.' },
    },
    ['query'],
  ],
  find_symbols: [
    'Finds classes, functions and other symbols of the workspace by their name, with the place of each.',
    { query: { type: 'string', description: 'The name, or part of it.' } },
    ['query'],
  ],
  get_problems: [
    'Lists the errors and warnings that the editor shows for a file, or for all files.',
    { path: { type: 'string', description: aPath } },
    [],
  ],
  git_diff: [
    'Shows what differs from the last commit in git.',
    { staged: { type: 'boolean', description: 'Only what the next commit would hold.' } },
    [],
  ],
};

export const toolDefinitions: readonly ToolDefinition[] = toolNames.map((name) => {
  const [description, properties, required] = schemas[name];
  return { name, description, schema: { type: 'object', properties, required } };
});

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolInputs, name);
}

/** Why an input does not fit, in words for the model; null where it does. */
export function whyNotFitting(name: ToolName, input: unknown): string | null {
  const parsed = toolInputs[name].safeParse(input);
  if (parsed.success) return null;
  const places = parsed.error.issues.map(({ path: at, message }) => `${at.join('.') || 'input'}: ${message}`);
  return `Refused: the input does not fit. ${places.join('; ')}`;
}
