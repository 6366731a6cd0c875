/** A prompt of the workspace's own, from `.svc/prompts/<file>.md`. */
export interface OwnPrompt {
  /** What follows the `/`. */
  readonly name: string;
  /** Empty where the file has none. */
  readonly description: string;
  /** The model it asks for, in the place of the setting's. */
  readonly model?: string;
  readonly text: string;
}

export type PromptParse =
  | { readonly ok: true; readonly prompt: OwnPrompt }
  /** `line` counts from 1. */
  | { readonly ok: false; readonly line: number; readonly found: string; readonly allowed: string };

/** Larger files are not read. */
export const maxPromptBytes = 64 * 1024;
const maxText = 200;
const maxShown = 40;

const keys = ['name', 'description', 'model'] as const;
type Key = (typeof keys)[number];

const allowed: Readonly<Record<Key, string>> = {
  name: 'small letters, digits and hyphens, a letter first, at most 40',
  description: `one line of plain text, at most ${maxText} characters`,
  model: `a model identifier, at most ${maxText} characters`,
};
const patterns: Readonly<Record<Key, RegExp>> = {
  name: /^[a-z][a-z0-9-]{0,39}$/,
  description: /^.{1,200}$/u,
  model: /^\S{1,200}$/,
};

class Malformed extends Error {
  readonly line: number;
  readonly found: string;
  readonly allowed: string;

  constructor(line: number, found: string, what: string) {
    super('A prompt file is malformed.');
    this.line = line;
    this.found = found;
    this.allowed = what;
  }
}

/**
 * Reads three keys and a text, and nothing else of YAML: what a YAML reader could take for something other than plain
 * text is an error, so that nobody believes a file says what is not read from it. `stem` is the file's name without
 * `.md`: the prompt's name where the file has none.
 */
export function parsePromptFile(source: string, stem: string): PromptParse {
  try {
    return { ok: true, prompt: promptIn(source, stem) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { ok: false, line: error.line, found: error.found, allowed: error.allowed };
  }
}

function promptIn(source: string, stem: string): OwnPrompt {
  const lines = source.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : 0;
  if (end < 0) throw new Malformed(lines.length, 'no end of the front matter', 'a line with --- alone');
  const found = new Map<Key, string>();
  for (let at = 1; at < end; at += 1) readLine(lines[at] ?? '', at + 1, found);
  const first = end === 0 ? 0 : end + 1;
  const text = lines.slice(first).join('\n').trim();
  if (text === '') throw new Malformed(lines.length, 'no text', 'a text after the front matter');
  const name = found.get('name') ?? stem;
  if (!patterns.name.test(name)) throw new Malformed(1, shown(name), `name: ${allowed.name}`);
  const model = found.get('model');
  return { name, description: found.get('description') ?? '', ...(model === undefined ? {} : { model }), text };
}

function readLine(line: string, number: number, found: Map<Key, string>): void {
  if (line.trim() === '') return;
  const [, word = '', raw = ''] = /^([A-Za-z_-]+):(?:[ \t]+(.*))?$/.exec(line) ?? [];
  const key = keys.find((one) => one === word);
  if (key === undefined) throw new Malformed(number, shown(line), `${keys.join(', ')}, each as key: value`);
  if (found.has(key)) throw new Malformed(number, `${key} twice`, 'each key once');
  const value = plain(raw.trim());
  if (value === null || !patterns[key].test(value)) {
    throw new Malformed(number, shown(line), `${key}: ${allowed[key]}`);
  }
  found.set(key, value);
}

/** A value without its quotes; null where YAML would read something else than what stands there. */
function plain(raw: string): string | null {
  const [, quote, inner = ''] = /^(["'])(.*)\1$/.exec(raw) ?? [];
  if (quote !== undefined) return inner.includes(quote) || inner.includes('\\') ? null : inner;
  return /^[\s\-?:,[\]{}#&*!|>'"%@`]|\s#|:\s|:$/.test(raw) ? null : raw;
}

function shown(text: string): string {
  const short = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  return JSON.stringify(short);
}
