import type { OfferedTool } from '../chatBody.ts';
import { ownWords, proseOf, withoutHouseRules } from './prompt.ts';

/** A tool call in an answer. */
export interface RuledCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * The calls that a prompt asks for, round by round: one of the tool whose name it contains, or all words of the name
 * (`read_file`: "read the file a.ts"). If there are several, the one with the longest name. Its required inputs come from the
 * prompt. "Rename a to b in x.ts and y.ts" reads the files, and then edits each of them, if edits can be proposed.
 */
export function callsFor(
  prompt: string,
  tools: readonly OfferedTool[],
  mustCall: boolean,
): readonly (readonly RuledCall[])[] {
  const words = proseOf(ownWords(withoutHouseRules(prompt)));
  const edits = tools.some(({ name }) => name === 'edit_file') ? renamings(words) : [];
  if (edits.length > 0) return [edits.map(({ input: { path } }) => ({ name: 'read_file', input: { path } })), edits];
  const fitting = tools.filter(({ name }) => fits(name, words)).sort((a, b) => b.name.length - a.name.length);
  const tool = fitting[0] ?? (mustCall ? tools[0] : undefined);
  return tool === undefined ? [] : [[{ name: tool.name, input: inputFor(tool, words) }]];
}

function renamings(words: string): readonly RuledCall[] {
  const [, oldString, newString, files = ''] =
    /\brename [`"']?(\w+)[`"']? to [`"']?(\w+)[`"']? in ([^\n]+)/i.exec(words) ?? [];
  const paths = new Set(files.match(pathPattern));
  return [...paths].map((path) => ({ name: 'edit_file', input: { path, oldString, newString, replaceAll: true } }));
}

const pathPattern = /[\w/][\w./-]*\.\w+/g;

/** The answer after the tool results. */
export function afterTools(results: readonly string[]): string {
  const shown = results.map((result) => `> ${result.split('\n').slice(0, 20).join('\n> ')}`);
  return `The tool said:\n\n${shown.join('\n\n')}`;
}

function fits(name: string, words: string): boolean {
  if (words.includes(name)) return true;
  const parts = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return parts.length > 1 && parts.every((part) => new RegExp(`\\b${part}s?\\b`, 'i').test(words));
}

function inputFor({ parameters }: OfferedTool, words: string): RuledCall['input'] {
  const properties = (parameters.properties ?? {}) as Readonly<Record<string, { readonly type?: unknown }>>;
  const required = Array.isArray(parameters.required) ? parameters.required.map(String) : [];
  return Object.fromEntries(required.map((name) => [name, valueFor(name, properties[name]?.type, words)]));
}

function valueFor(name: string, type: unknown, words: string): unknown {
  const path = words.match(pathPattern)?.[0] ?? '';
  const quoted = /["'`“](.+?)["'`”]/.exec(words)?.[1];
  switch (type) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [quoted ?? path];
    case 'object':
      return {};
    default:
      return /path|file|uri/i.test(name) ? path : (quoted ?? words);
  }
}
