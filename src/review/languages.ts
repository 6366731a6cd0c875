/** The syntax of a single-line comment in a language. */
interface CommentMarks {
  readonly open: string;
  /** The end of the comment; empty if the comment ends with the line. */
  readonly close: string;
}

const slashes: CommentMarks = { open: '//', close: '' };
const hash: CommentMarks = { open: '#', close: '' };
const dashes: CommentMarks = { open: '--', close: '' };
const markup: CommentMarks = { open: '<!--', close: '-->' };
const block: CommentMarks = { open: '/*', close: '*/' };

const byLanguage: Readonly<Record<string, CommentMarks>> = {
  bat: { open: 'REM ', close: '' },
  clojure: { open: ';', close: '' },
  css: block,
  dockerfile: hash,
  elixir: hash,
  haskell: dashes,
  html: markup,
  ini: { open: ';', close: '' },
  julia: hash,
  latex: { open: '%', close: '' },
  lua: dashes,
  makefile: hash,
  markdown: markup,
  perl: hash,
  powershell: hash,
  properties: hash,
  python: hash,
  r: hash,
  ruby: hash,
  shellscript: hash,
  sql: dashes,
  terraform: hash,
  toml: hash,
  vb: { open: "'", close: '' },
  vue: markup,
  xml: markup,
  yaml: hash,
};

/** Languages without comments. Plain JSON is one of them, because a strict parser rejects comments. */
const languagesWithoutComments: ReadonlySet<string> = new Set(['json', 'plaintext', 'csv', 'diff', 'log']);

/** Returns null if the language has no comments. An unknown language is assumed to use C's syntax. */
export function commentMarks(languageId: string): CommentMarks | null {
  return languagesWithoutComments.has(languageId) ? null : (byLanguage[languageId] ?? slashes);
}

const byExtension: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  c: 'c',
  cc: 'cpp',
  cfg: 'ini',
  clj: 'clojure',
  cob: 'cobol',
  conf: 'properties',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  cts: 'typescript',
  dart: 'dart',
  ex: 'elixir',
  exs: 'elixir',
  go: 'go',
  gradle: 'groovy',
  h: 'c',
  hpp: 'cpp',
  hs: 'haskell',
  htm: 'html',
  html: 'html',
  ini: 'ini',
  java: 'java',
  jl: 'julia',
  js: 'javascript',
  json: 'json',
  jsonc: 'jsonc',
  jsx: 'javascriptreact',
  kt: 'kotlin',
  kts: 'kotlin',
  less: 'less',
  lua: 'lua',
  m: 'objective-c',
  md: 'markdown',
  mjs: 'javascript',
  mk: 'makefile',
  mts: 'typescript',
  php: 'php',
  pl: 'perl',
  properties: 'properties',
  ps1: 'powershell',
  py: 'python',
  r: 'r',
  rb: 'ruby',
  rs: 'rust',
  scala: 'scala',
  scss: 'scss',
  sh: 'shellscript',
  sql: 'sql',
  swift: 'swift',
  tf: 'terraform',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'typescriptreact',
  vb: 'vb',
  vue: 'vue',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zsh: 'shellscript',
};

/** Returns the language of a file that is not open in an editor, by its name. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile' || name === 'makefile') return name;
  return byExtension[name.slice(name.lastIndexOf('.') + 1)] ?? 'plaintext';
}
