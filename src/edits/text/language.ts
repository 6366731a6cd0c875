/** The properties of a language that distinguish strings, comments, brackets and declarations. */
export interface Language {
  readonly blocks: 'brackets' | 'indentation' | 'statements' | 'markup';
  /** The tokens that begin a comment to the end of the line. */
  readonly comment: readonly string[];
  /** The opening and closing delimiters of multi-line strings and comments, the longest first. */
  readonly texts: readonly (readonly [open: string, close: string])[];
  /** The quotes of strings that end on their line. */
  readonly quotes: string;
  /** Whether `${` in a multi-line string begins code again. */
  readonly hasTemplates: boolean;
  readonly hasRegExps: boolean;
  /** Whether a single quote that does not enclose one character begins a name, such as a lifetime in Rust. */
  readonly hasLifetimes?: boolean;
  /** Finds the closing word of a heredoc, a text from the next line up to a line with only that word. */
  readonly heredoc?: RegExp;
}

const brackets: Language = {
  blocks: 'brackets',
  comment: ['//'],
  texts: [['/*', '*/']],
  quotes: '"\'',
  hasTemplates: false,
  hasRegExps: false,
};
const script: Language = {
  ...brackets,
  texts: [
    ['/*', '*/'],
    ['`', '`'],
  ],
  hasTemplates: true,
  hasRegExps: true,
};
const longQuotes: Language = {
  ...brackets,
  texts: [
    ['/*', '*/'],
    ['"""', '"""'],
  ],
};
const python: Language = {
  ...brackets,
  blocks: 'indentation',
  comment: ['#'],
  texts: [
    ['"""', '"""'],
    ["'''", "'''"],
  ],
};

const hash: Language = { ...brackets, comment: ['#'], texts: [] };

const known: Readonly<Record<string, Language>> = {
  typescript: script,
  typescriptreact: script,
  javascript: script,
  javascriptreact: script,
  vue: script,
  svelte: script,
  java: longQuotes,
  kotlin: longQuotes,
  scala: longQuotes,
  swift: longQuotes,
  csharp: {
    ...brackets,
    texts: [
      ['/*', '*/'],
      ['"""', '"""'],
      ['$@"', '"'],
      ['@$"', '"'],
      ['@"', '"'],
    ],
  },
  go: {
    ...brackets,
    texts: [
      ['/*', '*/'],
      ['`', '`'],
    ],
  },
  dockerfile: hash,
  makefile: hash,
  elixir: hash,
  graphql: hash,
  perl: hash,
  powershell: hash,
  r: hash,
  rust: { ...brackets, hasLifetimes: true },
  python,
  yaml: { ...python, texts: [] },
  dockercompose: { ...python, texts: [] },
  ruby: { ...brackets, comment: ['#'], texts: [], blocks: 'markup' },
  shellscript: {
    ...brackets,
    comment: ['#'],
    texts: [],
    heredoc: /<<-?\s*\\?(["']?)([A-Za-z_]\w*)\1/y,
  },
  sql: {
    ...brackets,
    blocks: 'statements',
    comment: ['--'],
    texts: [
      ['/*', '*/'],
      ['$$', '$$'],
      ["'", "'"],
    ],
    quotes: '"',
  },
  markdown: { ...brackets, blocks: 'markup', comment: [], texts: [], quotes: '' },
  html: { ...brackets, blocks: 'markup', comment: [], texts: [['<!--', '-->']], quotes: '' },
  xml: { ...brackets, blocks: 'markup', comment: [], texts: [['<!--', '-->']], quotes: '' },
  plaintext: { ...brackets, blocks: 'markup', comment: [], texts: [], quotes: '' },
  toml: { ...python, blocks: 'markup' },
};

/** The language with a VS Code ID. An unknown language is read as one with braces. */
export function languageOf(id: string): Language {
  return (Object.hasOwn(known, id) ? known[id] : undefined) ?? brackets;
}
