import { slicesOf } from '../slices.ts';
import { type Run, runsOf } from './tokenClasses.ts';

/** The maximum number of characters of code that is highlighted: highlighting more would block the page. */
export const highlightLimit = 50 * 1024;

const aliases: Readonly<Record<string, string>> = {
  'c++': 'cpp',
  cc: 'cpp',
  h: 'c',
  hpp: 'cpp',
  'c#': 'csharp',
  golang: 'go',
  rs: 'rust',
  kts: 'kotlin',
  sh: 'bash',
  zsh: 'bash',
  console: 'bash',
  jsonc: 'json',
  json5: 'json',
  mjs: 'javascript',
  cjs: 'javascript',
  mts: 'typescript',
  cts: 'typescript',
  patch: 'diff',
  vue: 'markup',
  typescriptreact: 'tsx',
  javascriptreact: 'jsx',
  postgres: 'sql',
  postgresql: 'sql',
  mysql: 'sql',
};

/** Returns the language of a fence: models also write `ts title="a.ts"`, `{.python}` and `language-go`. */
export function languageOf(info: string): string {
  const [word = ''] = info.trim().split(/[\s,]/, 1);
  return word.replace(/^\{?\.?(?:language-)?/, '').replace(/\}$/, '');
}

/** The maximum time that highlighting a block may take, in ms: some texts make each of its slices slow. */
const budget = 500;

/** Slices are highlighted one after the other, each in its own task: twenty blocks in one task would block the page. */
let before: Promise<unknown> = Promise.resolve();

let loaded: typeof import('./prism.ts') | undefined;

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/**
 * Returns the runs of highlighted code, or undefined if the code stays plain: the language is unknown, the code is too long, or
 * it exceeds its time budget. The grammars are loaded by the first call. `now` is a clock in ms.
 */
export async function highlight(
  code: string,
  language: string,
  now: () => number = () => performance.now(),
): Promise<readonly Run[] | undefined> {
  if (code.length > highlightLimit || language === '') return undefined;
  loaded ??= await import('./prism.ts');
  const { prism } = loaded;
  const name = language.toLowerCase();
  const known = aliases[name] ?? name;
  if (!Object.hasOwn(prism.languages, known)) await import('./prismMore.ts');
  // `languages` also contains Prism's own functions, such as `extend`.
  const grammar = Object.hasOwn(prism.languages, known) ? prism.languages[known] : undefined;
  if (typeof grammar !== 'object') return undefined;
  const colored = before.then(() => inSlices(code, (text) => runsOf(prism.tokenize(text, grammar)), now));
  before = colored.catch(() => undefined);
  return colored;
}

async function inSlices(
  code: string,
  color: (text: string) => readonly Run[],
  now: () => number,
): Promise<readonly Run[] | undefined> {
  const runs: Run[] = [];
  let spent = 0;
  for (const { text, isPlain } of slicesOf(code)) {
    await nextTask();
    const startedAt = now();
    for (const run of isPlain ? [{ className: '', text }] : color(text)) runs.push(run);
    spent += now() - startedAt;
    if (spent > budget) return undefined;
  }
  return runs;
}
