/** One letter in a row. */
const letters = [...'aA0 \t\n\r\\/.-_=:"\'`*?[({<!#@$%&|~+,;>]})^é🙂', '\0', '\u202e', '\r\n'];
/** What nests, what alternates, and what many grammars consist of. */
const pieces = [
  ...[
    'a ',
    'ab',
    'a\n',
    ' a',
    '\n\n',
    ' \n',
    '\\"',
    '""',
    '[]',
    '{}',
    '()',
    '<>',
    '*a',
    'a*',
    '**/',
    '?*',
    '[b]',
    '!a\n',
  ],
  ...[
    '`a`',
    '``` ',
    '```\n',
    '~~~\n',
    '![',
    '](',
    '[a](b) ',
    '> ',
    '- ',
    '1. ',
    '# ',
    '| a ',
    '<!--',
    '-->',
    '<a ',
    '&lt;',
  ],
  ...[
    'a=b\n',
    'key: value\n',
    '"a":1,',
    '{"a":',
    '["a",',
    'data: {}\n\n',
    'http://a.b/',
    'a.b.',
    'a@b.c ',
    '0.1',
    '-1 ',
  ],
  ...[
    '-----BEGIN A KEY-----\n',
    '-----END A KEY-----\n',
    'svc_ent_a',
    'token=',
    'password: ',
    'key ',
    'masked ',
    '[masked',
  ],
  ...[
    '[masked: password abcde]',
    'svc-ignore ',
    '// ',
    '/* ',
    '*/',
    '# svc',
    'aB3dE5gH7',
    'QUJD',
    'ghp_a1B2',
    '\\\n',
    '\ud800',
  ],
];
/** What ends a run so that a search fails that has taken it. JavaScript's patterns treat U+2028 as the end of a line. */
const failingEnds = ['!', '\n', 'x"', '\0', '\u2028', '&'];
const beginnings = [
  '(',
  '[',
  '#',
  '- ',
  '=====',
  '// ',
  '```',
  ':',
  '=',
  '"',
  'import ',
  'using a =',
  'a =',
  'from a import',
];
const pairs = ['[]', '{}', '()', '<>', '""', '``', '/*', '*/'];

export interface Shape {
  readonly name: string;
  /** A text of about this many letters. */
  made(length: number): string;
}

const repeated = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length));

/** Hostile texts: runs, nesting, alternation, and near-matches of a reader's own grammar. */
export function shapesOf(own: readonly string[] = []): readonly Shape[] {
  const all = [...letters, ...pieces, ...own];
  const shapes: Shape[] = all.map((piece) => ({
    name: JSON.stringify(piece),
    made: (length) => repeated(piece, length),
  }));
  for (const [open, close] of pairs.map((pair) => [...pair])) {
    const half = (text: string | undefined, length: number): string => repeated(text ?? '', length / 2);
    shapes.push({ name: `nested ${open}${close}`, made: (length) => half(open, length) + half(close, length) });
  }
  // What follows makes a search fail that has taken the run.
  for (const piece of [' ', 'a', '\t', '\n', '\\', '.', '-', '0', '`', ...own]) {
    for (const end of failingEnds) {
      shapes.push({
        name: `${JSON.stringify(piece)} then ${JSON.stringify(end)}`,
        made: (length) => repeated(piece, length) + end,
      });
    }
  }
  // A beginning, then a run of what may follow it, and then what may not.
  for (const begin of [...beginnings, ...own]) {
    for (const letter of [' ', '\t', '.']) {
      for (const end of ['!', '\u2028']) {
        shapes.push({
          name: `${JSON.stringify(begin)}, ${JSON.stringify(letter)} and then ${JSON.stringify(end)}`,
          made: (length) => begin + repeated(letter, length) + end,
        });
      }
    }
  }
  // A reader's own beginning, then a run.
  for (const piece of own) {
    for (const letter of [' ', 'a', '\n', '"', '0', '-']) {
      shapes.push({
        name: `${JSON.stringify(piece)} before ${JSON.stringify(letter)}`,
        made: (length) => piece + repeated(letter, length),
      });
    }
  }
  return shapes;
}
