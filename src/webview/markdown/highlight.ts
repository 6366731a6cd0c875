import { type Run, runsOf } from './inks.ts';

/** Above this many characters code stays plain: colouring it would block the page. */
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

/** The language a fence names: `ts title="a.ts"`, `{.python}` and `language-go` are written by models, too. */
export function languageOf(info: string): string {
  const [word = ''] = info.trim().split(/[\s,]/, 1);
  return word.replace(/^\{?\.?(?:language-)?/, '').replace(/\}$/, '');
}

/** Blocks get their colours one after the other, each in a task of its own: twenty at once would hold up the page. */
let before: Promise<void> = Promise.resolve();

let loaded: typeof import('./prism.ts') | undefined;

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Code in runs, or undefined when it stays plain: language unknown, or too long. The grammars load at the first call. */
export async function highlight(code: string, language: string): Promise<readonly Run[] | undefined> {
  if (code.length > highlightLimit || language === '') return undefined;
  loaded ??= await import('./prism.ts');
  const { prism } = loaded;
  const name = language.toLowerCase();
  const known = aliases[name] ?? name;
  if (!Object.hasOwn(prism.languages, known)) await import('./prismMore.ts');
  // Among the languages are also Prism's own functions, such as `extend`.
  const grammar = Object.hasOwn(prism.languages, known) ? prism.languages[known] : undefined;
  if (typeof grammar !== 'object') return undefined;
  before = before.then(nextTask);
  await before;
  return runsOf(prism.tokenize(code, grammar));
}
