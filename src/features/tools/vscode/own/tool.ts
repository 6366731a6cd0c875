import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../../../client/answer/answerShape.ts';
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
type FieldName =
  | 'path'
  | 'firstLine'
  | 'lastLine'
  | 'query'
  | 'files'
  | 'staged'
  | 'oldString'
  | 'newString'
  | 'replaceAll'
  | 'content'
  | 'from'
  | 'to'
  | 'name';
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
/** The schema of a part of a file, or of a whole file. */
export const code = z.string().check(z.maxLength(512 * 1024));
/** The schema of a text to search for. */
export const words = z.string().check(z.minLength(1), z.maxLength(500));

/** The names that models often use for a field, because other tools have them. A name of its own goes before them. */
const otherNames: Readonly<Record<string, FieldName>> = {
  file_path: 'path',
  filePath: 'path',
  old_string: 'oldString',
  old_str: 'oldString',
  new_string: 'newString',
  new_str: 'newString',
  replace_all: 'replaceAll',
};

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
  /** Whether the tool proposes a change of a file. It is offered only in the mode `change`. */
  readonly proposes?: true;
  /**
   * Returns what the user must see before they allow a call, if the tool runs something. Such a tool is offered only if
   * `svc.tools.runTask` is on, and the user is asked about each call. Throws a ToolRefusal.
   */
  readonly asks?: (input: InputOf<F>, tasks: TasksOfCall) => Promise<string>;
  /**
   * Runs the tool, which reads or proposes, and never writes; a tool that asks runs what its question has shown. Returns content
   * from the maker and text of our own. Throws a ToolRefusal.
   */
  readonly run: (
    input: InputOf<F>,
    signal: AbortSignal,
    proposed: ProposedFiles,
    tasks: TasksOfCall,
  ) => Promise<OwnOutput>;
}

/** The use of the workspace's tasks by one call. */
export interface TasksOfCall {
  /**
   * Returns the question about a task. It is another one if, since the last question of this call, the task has changed, or more files
   * that it may execute were written. Throws a ToolRefusal if the task cannot be run.
   */
  question(name: string): Promise<string>;
  /** Runs the task as the last question has shown it. */
  run(signal: AbortSignal): Promise<OwnOutput>;
}

/** The maximum size of one result in bytes: about twenty results fit into a request. */
export const maxResultBytes = 64 * 1024;

/** The output of an own tool. */
export interface OwnOutput extends ToolOutput {
  /** The file that was read, and its text; null if only a part of it is in the output. */
  readonly read?: { readonly file: vscode.Uri; readonly text: string | null };
  /** The size in bytes of what was left out at the end of an output that is longer than any result may be. */
  readonly bytesLeftOut?: number;
}

/** The files of a conversation with the changes that are proposed for them. Its paths are those that a model names. */
export interface ProposedFiles {
  /**
   * Returns the proposed text of a file and the files that it comes from, null if the file is proposed to be deleted or renamed,
   * or undefined if no change is proposed.
   */
  textOf(file: vscode.Uri): ProposedText | null | undefined;
  /** Returns the files with proposed changes. */
  list(): readonly ProposedFile[];
  /** Notes that the model has read a file: then it may propose edits, or after the whole `text` also a new text. */
  noteRead(file: vscode.Uri, text: string | null): void;
  edit(edit: ProposedEdit): Promise<ToolOutput>;
  write(path: string, content: string): Promise<ToolOutput>;
  delete(path: string): Promise<ToolOutput>;
  rename(from: string, to: string): Promise<ToolOutput>;
  /** The number of files with proposed changes that are not written. */
  readonly waiting: number;
}

export interface ChangesStatus {
  /** The number of files with proposed changes that are not written. */
  readonly waiting: number;
  /** The files with accepted changes that build, installation or test commands commonly execute, or that decide what runs. */
  readonly written: readonly string[];
  /** The number of accepts of such files in this window, including those that were undone. */
  readonly accepts: number;
}

/** A file with a proposed change, which is not written. */
export interface ProposedFile {
  readonly uri: vscode.Uri;
  readonly path: string;
  /** The present file, if the change gives it another name. */
  readonly from?: { readonly uri: vscode.Uri; readonly path: string };
  readonly change: 'new' | 'changed' | 'renamed' | 'deleted';
  /** Whether the present or the proposed text of the file has a line with these words outside its secrets, ignoring case. */
  readonly has: (query: string) => Promise<boolean>;
}

export interface ProposedText {
  readonly text: string;
  readonly files: readonly vscode.Uri[];
  /** The text that the file had when the change was proposed. */
  readonly before: string;
}

export interface ProposedEdit {
  readonly path: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean | undefined;
}

/** One of the extension's own tools. Its input comes from a model and is not trusted. */
export interface OwnTool {
  readonly definition: ToolDefinition;
  readonly title: () => string;
  readonly does: () => string;
  /** The schema that the input must match. */
  readonly schema: z.ZodMiniType;
  readonly hasField: (key: string) => boolean;
  /** Returns the input with the names and types of our fields, where the model used others for them. */
  readonly withOwnNames: (input: JsonObject) => JsonObject;
  /** Describes a call; returns null if the input is invalid. */
  readonly words: (input: unknown) => string | null;
  /** Returns the reason why an input is invalid, as text for the model, or null if it is valid. */
  readonly whyNotFitting: (input: unknown) => OwnText | null;
  /** Runs the tool. Throws an error for an invalid input. */
  readonly run: (
    input: JsonObject,
    signal: AbortSignal,
    proposed: ProposedFiles,
    tasks: TasksOfCall,
  ) => Promise<OwnOutput>;
  readonly proposes?: true;
  /** Like the function of the same name in defineTool(). Throws an error for an invalid input. */
  readonly asks: ((input: JsonObject, tasks: TasksOfCall) => Promise<string>) | null;
}

/** Defines a tool: its schema for the model, its validation, its texts for the user, and its function. */
export function defineTool<const F extends Fields>(parts: ToolParts<F>): OwnTool {
  const { name, description, fields, asks } = parts;
  const named = Object.entries(fields) as readonly (readonly [FieldName, Field<z.ZodMiniType>])[];
  const shape = Object.fromEntries(named.map(([key, { schema }]) => [key, schema])) as Shape<F>;
  const schema = z.object(shape);
  const properties = Object.fromEntries(named.map(([key, { type, description }]) => [key, { type, description }]));
  const required = named.filter(([, field]) => !field.schema.safeParse(undefined).success).map(([key]) => key);
  const withOwnNames = (input: JsonObject): JsonObject => {
    const own = Object.entries(input).flatMap(([key, value]) => {
      const name = ownName(key);
      const field = Object.hasOwn(fields, name) ? fields[name as FieldName] : undefined;
      const isReplaced = name !== key && Object.hasOwn(input, name);
      return field === undefined || isReplaced ? [] : [[name, ownValue(field.type, value)] as const];
    });
    return { ...input, ...Object.fromEntries(own) };
  };
  return {
    ...parts,
    definition: { name, description, schema: { type: 'object', properties, required } },
    schema,
    withOwnNames,
    hasField: (key) => Object.hasOwn(fields, ownName(key)),
    words: (input) => {
      const parsed = schema.safeParse(isObject(input) ? withOwnNames(input) : input);
      return parsed.success ? parts.words(parsed.data) : null;
    },
    whyNotFitting: (input) => {
      const parsed = schema.safeParse(isObject(input) ? withOwnNames(input) : input);
      if (parsed.success) return null;
      const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0]));
      const expected = named
        .filter(([key]) => wrong.has(key))
        .map(([key, { type }]) => ownText`${key}: expected ${type === 'integer' ? 'integer, counted from 1' : type}`);
      return ownText`Refused: the input does not fit. ${joinOwn(expected, ', ')}`;
    },
    run: (input, ...rest) => parts.run(schema.parse(withOwnNames(input)), ...rest),
    asks: asks === undefined ? null : (input, tasks) => asks(schema.parse(withOwnNames(input)), tasks),
  };
}

/** Returns the value that a model meant: some write a number or a flag as text, and `null` for a field that they leave out. */
function ownValue(type: Field<z.ZodMiniType>['type'], value: unknown): unknown {
  if (value === null) return undefined;
  if (type === 'string' || typeof value !== 'string') return value;
  if (type === 'integer') return /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function ownName(key: string): string {
  return Object.hasOwn(otherNames, key) ? (otherNames[key] ?? key) : key;
}

/** The maximum length in characters of a path or a text within the description of a call. */
export const maxPart = 200;

/** Returns a text that a model chose in a form for the description of a call: cut, in one line, and without hidden characters. */
export function shown(text: string): string {
  return escapeHidden(text.length > maxPart ? `${text.slice(0, maxPart)}…` : text).replaceAll('\n', '\\n');
}
