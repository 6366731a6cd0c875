/** A prompt of the workspace, from `.svc/prompts/<file>.md`. */
export interface OwnPrompt {
  /** The text after the `/`. */
  readonly name: string;
  /** The description from the file; empty if the file has none. */
  readonly description: string;
  /** The model that the file requests instead of the one in the settings. */
  readonly model?: string;
  readonly text: string;
}

type PromptParse =
  | { readonly ok: true; readonly prompt: OwnPrompt }
  | { readonly ok: false; readonly problem: PromptProblem };

/** An error in a prompt file; platform/messages/describePrompt.ts has the texts. */
export interface PromptProblem {
  /** The line number, counted from 1. */
  readonly line: number;
  readonly fault:
    | { readonly kind: 'noEnd' | 'noText' }
    /** `line` is the text of the line, shortened and quoted. */
    | { readonly kind: 'unknownKey'; readonly line: string }
    | { readonly kind: 'keyTwice'; readonly key: PromptKey }
    /** `found` is the value, or its line, shortened and quoted. */
    | { readonly kind: 'value'; readonly key: PromptKey; readonly found: string };
}

/** The maximum size of a prompt file in bytes; larger files are not read. */
export const maxPromptBytes = 64 * 1024;
/** The maximum length in characters of a description and of the name of a model. */
export const maxText = 200;
const maxShown = 40;

export const promptKeys = ['name', 'description', 'model'] as const;
export type PromptKey = (typeof promptKeys)[number];

const patterns: Readonly<Record<PromptKey, RegExp>> = {
  name: /^[a-z][a-z0-9-]{0,39}$/,
  description: /^.{1,200}$/u,
  model: /^\S{1,200}$/,
};

class Malformed extends Error {
  readonly problem: PromptProblem;

  constructor(line: number, fault: PromptProblem['fault']) {
    super('A prompt file is malformed.');
    this.problem = { line, fault };
  }
}

/**
 * Reads three keys and a text, and nothing else of YAML: anything that a YAML parser could read as other than plain
 * text is an error, so that a file never means something else than it appears to. `stem` is the file's name without
 * `.md`: the prompt's name if the file has none.
 */
export function parsePromptFile(source: string, stem: string): PromptParse {
  try {
    return { ok: true, prompt: promptIn(source, stem) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { ok: false, problem: error.problem };
  }
}

function promptIn(source: string, stem: string): OwnPrompt {
  const lines = source.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : 0;
  if (end < 0) throw new Malformed(lines.length, { kind: 'noEnd' });
  const found = new Map<PromptKey, string>();
  for (let at = 1; at < end; at += 1) readLine(lines[at] ?? '', at + 1, found);
  const first = end === 0 ? 0 : end + 1;
  const text = lines.slice(first).join('\n').trim();
  if (text === '') throw new Malformed(lines.length, { kind: 'noText' });
  const name = found.get('name') ?? stem;
  if (!patterns.name.test(name)) throw new Malformed(1, { kind: 'value', key: 'name', found: shown(name) });
  const model = found.get('model');
  return { name, description: found.get('description') ?? '', ...(model === undefined ? {} : { model }), text };
}

function readLine(line: string, number: number, found: Map<PromptKey, string>): void {
  if (line.trim() === '') return;
  const [, word = '', raw = ''] = /^([A-Za-z_-]+):(?:[ \t]+(.*))?$/s.exec(line) ?? [];
  const key = promptKeys.find((one) => one === word);
  if (key === undefined) throw new Malformed(number, { kind: 'unknownKey', line: shown(line) });
  if (found.has(key)) throw new Malformed(number, { kind: 'keyTwice', key });
  const value = plain(raw.trim());
  if (value === null || !patterns[key].test(value)) {
    throw new Malformed(number, { kind: 'value', key, found: shown(line) });
  }
  found.set(key, value);
}

/** Returns a value without its quotes, or null if YAML would read a different value. */
function plain(raw: string): string | null {
  const [, quote, inner = ''] = /^(["'])(.*)\1$/.exec(raw) ?? [];
  if (quote !== undefined) return inner.includes(quote) || inner.includes('\\') ? null : inner;
  return /^[\s\-?:,[\]{}#&*!|>'"%@`]|\s#|:\s|:$/.test(raw) ? null : raw;
}

function shown(text: string): string {
  const short = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  return JSON.stringify(short);
}
