/** How the lines of a language are read: enough to tell strings, comments, brackets and declarations apart. */
export interface Language {
  readonly blocks: 'brackets' | 'indentation' | 'statements' | 'markup';
  /** What begins a comment to the end of the line. */
  readonly comment: readonly string[];
  /** Strings over several lines, by what opens and closes them, the longest first. */
  readonly texts: readonly (readonly [open: string, close: string])[];
  /** Quotes of strings that end on their line. */
  readonly quotes: string;
  /** `${` in a text of several lines holds code again. */
  readonly hasTemplates: boolean;
  readonly hasRegExps: boolean;
  /** Texts from the next line to one with only a word, which this finds in the line before: heredocs. */
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

/** The language with an id of VS Code. One that is not known is read as one with braces. */
export function languageOf(id: string): Language {
  return (Object.hasOwn(known, id) ? known[id] : undefined) ?? brackets;
}
