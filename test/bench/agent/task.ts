import type { ChatBody } from '../../service/chatBody.ts';
import type { PlayedAnswer } from '../../service/played.ts';
import type { User } from './host/user.ts';

export type Call = NonNullable<PlayedAnswer['calls']>[number];

/**
 * Files by their paths below the folder of the task, or, after a slash, below the folder of the workspace; null for a file
 * that is not there.
 */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** What a model answers: calls of tools, a text that ends its turn, or both with more about the answer. */
export type Move = readonly Call[] | string | PlayedAnswer;

/**
 * A model: it answers each request with a move, and gets the results of its calls, or the next question after a text. The
 * text that it returns is its last answer.
 */
export type Model = Generator<Move, string, readonly string[]>;

/** A model that answers once, and calls nothing. */
export function* answering(text: string): Model {
  yield* [];
  return text;
}

/** What a model can see. */
export interface Seen {
  /** The request that it answers. */
  readonly body: () => ChatBody;
  /** The path of a file of the task as the model writes it in a text. In inputs of calls it is put in place. */
  readonly path: (name: string) => string;
  /** Lets its next answers wait, so that the user can act before them. */
  readonly hold: () => void;
  /** Breaks the connection within the answer to the request after this one. */
  readonly breakNext: () => void;
}

export const kinds = ['works', 'errs', 'hostile', 'library', 'components'] as const;
export type Kind = (typeof kinds)[number];

/**
 * A task: what the user asks, what the model does, what the user decides, and what is there afterwards. That nothing is
 * written before the user accepts, that Undo restores each byte, and what is recorded is checked for each task.
 */
export interface Task {
  readonly name: string;
  readonly files: Files;
  /** The model; it reads what it edits, as the texts of files are not in the question. */
  readonly model: (seen: Seen) => Model;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the user does; by default, the user asks once and accepts all. */
  readonly user?: (user: User) => Promise<void>;
  /** The files that differ from before when the user has finished. */
  readonly after: Files;
  /** The files that differ from before after all accepts are undone; by default none. */
  readonly undone?: Files;
  /** What the results of refused calls say, in their order; by default no call is refused. */
  readonly refused?: readonly RegExp[];
  /** What the questions to the user say, in their order, before the user answers with the first button. */
  readonly asked?: readonly RegExp[];
  /** What is told to the user about decisions that were not carried out. */
  readonly told?: readonly RegExp[];
  /** Prepares more than files, such as links. Returns what ends it. */
  readonly prepare?: (path: (name: string) => string) => () => void;
  /** The model does not come to its last answer: its turn is ended before. */
  readonly isEnded?: true;
}

/** Paths in these inputs are below the folder of the task, unless they are absolute. */
export const pathFields = ['path', 'from', 'to'] as const;

/** A path that is used as it is, not below the folder of the task. */
export function exactly(path: string): string {
  return `\0${path}`;
}

export const read = (path: string, firstLine?: number, lastLine?: number): Call => ({
  name: 'read_file',
  input: { path, firstLine, lastLine },
});
export const search = (query: string): Call => ({ name: 'search_text', input: { query } });
export const list = (path = ''): Call => ({ name: 'list_files', input: { path } });
export const edit = (path: string, oldString: string, newString: string, more: object = {}): Call => ({
  name: 'edit_file',
  input: { path, oldString, newString, ...more },
});
export const write = (path: string, content: string): Call => ({ name: 'write_file', input: { path, content } });
export const remove = (path: string): Call => ({ name: 'delete_file', input: { path } });
export const rename = (from: string, to: string): Call => ({ name: 'rename_file', input: { from, to } });

export const runTask = (name: string): Call => ({ name: 'run_task', input: { name } });

/** A block of an answer that replaces lines of a file. */
export function replacement(path: string, old: string, now: string): string {
  return `\`\`\`ts title="${path}"\n<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE\n\`\`\`\n`;
}

/** The lines of a file in a result of read_file, without their numbers, as a model copies them. */
export function linesOf(result = ''): readonly string[] {
  return result.split(/\r?\n/).flatMap((line) => /^ *\d+\| ?(.*)$/.exec(line)?.[1] ?? []);
}

/** The line of a file that has a text, as a model copies it. Throws if no line has it: the model was not shown the file. */
export function lineWith(result: string | undefined, text: string): string {
  const line = linesOf(result).find((one) => one.includes(text));
  if (line === undefined) throw new Error(`No line of the result has ${text}: ${result?.slice(0, 300)}`);
  return line;
}

/** The lines from the one with a text to the first one after it that is `end`. */
export function blockAt(result: string | undefined, start: string, end: string): string {
  const lines = linesOf(result);
  const from = lines.findIndex((line) => line.includes(start));
  const to = lines.findIndex((line, at) => at > from && line === end);
  if (from === -1 || to === -1) throw new Error(`No lines from ${start} to ${end}: ${result?.slice(0, 300)}`);
  return lines.slice(from, to + 1).join('\n');
}

/** The paths in a result of search_text, each once, below the folder of the task. */
export function foundIn(result = ''): readonly string[] {
  const paths = result.split('\n').flatMap((line) => /^(?:task\d+\/)?([^:\s]+):\d+: /.exec(line)?.[1] ?? []);
  return [...new Set(paths)];
}
