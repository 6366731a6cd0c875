import fc from 'fast-check';

export interface Rules {
  readonly ignoreFiles: readonly { readonly folder: string; readonly bytes: Uint8Array }[];
  readonly exclude: Uint8Array;
  readonly excludesFile: Uint8Array;
  readonly ignoresCase: boolean;
  /** Existing folders. */
  readonly folders: readonly string[];
}

export interface Asked {
  readonly path: string;
  readonly isFolder: boolean;
}

export interface Repository {
  readonly rules: Rules;
  readonly paths: readonly Asked[];
}

/** Few names, and patterns made of them, so that patterns match paths. */
const words = [
  'a',
  'b',
  'ab',
  'aa',
  'abc',
  'A',
  'Ab',
  'foo',
  'foobar',
  'bar',
  'x.log',
  '.a',
  'a.b',
  'é',
  'É',
  'aé',
  'ü日',
  '-',
  'z',
];
const odd = [
  'a b',
  'a ',
  ' ',
  '[a]',
  ']',
  '!a',
  '#a',
  '*',
  '?',
  'a\\b',
  '\\',
  'a**b',
  '^',
  '\t',
  'a\u0301',
  '🙂',
  ':',
  '~',
  '{a}',
];
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.constantFrom(...odd) },
);
const folder = fc.constantFrom('a', 'b', 'foo', 'A', 'é', 'a b', 'ab');
const path = fc
  .tuple(fc.array(fc.oneof({ weight: 3, arbitrary: folder }, { weight: 1, arbitrary: name }), { maxLength: 4 }), name)
  .map(([folders, last]) => [...folders, last].join('/'));

const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const set = fc.constantFrom(
  ...[
    '[a-c]',
    '[!a]',
    '[^a-b]',
    '[]a]',
    '[!]]',
    '[a',
    '[',
    '[z-a]',
    '[a-]',
    '[-a]',
    '[a-\\c]',
    '[\\]a]',
    '[a/b]',
    '[!/]',
  ],
  ...[
    '[[:alpha:]]',
    '[![:alpha:]]',
    '[[:upper:]]',
    '[[:lower:][:digit:]]',
    '[[:nope:]]',
    '[[:alpha]',
    '[[:]',
    '[[a]]',
    '[A-Z]',
  ],
  ...[
    '[[:space:]]',
    '[[:punct:]]',
    '[[:print:]]',
    '[[:graph:]]',
    '[[:xdigit:]]',
    '[[:cntrl:]-z]',
    '[[:blank:]',
    '[\x80-\xff]',
  ],
  ...['[a-c-e]', '[--a]', '[[-a]', '[a\\', '[*]', '[?]', '[^^]', '[é]'].map(bytes),
);
const wild = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('*', '**', '?', '***', '*a', 'a*', '\\*', '\\', '\\a', '\\\\', '??') },
  { weight: 3, arbitrary: set },
  { weight: 2, arbitrary: name.map(bytes) },
);
/** A name with wildcards in place of some of its bytes. */
const wildName = fc
  .tuple(name.map(bytes), fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 3 }), wild), { maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((now, [at, length, by]) => now.slice(0, at) + by + now.slice(at + length), text),
  );
const segment = fc.oneof(
  { weight: 4, arbitrary: name.map(bytes) },
  { weight: 2, arbitrary: folder.map(bytes) },
  { weight: 4, arbitrary: wildName },
  { weight: 3, arbitrary: fc.constantFrom('*', '**', '?', '**', 'a**', '**a', 'foo**', '*\\/', '') },
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', '', '!', '!', '!!', '#', '\\!', '\\#', ' '),
    fc.constantFrom('', '', '', '/', '**/', '//'),
    fc.array(segment, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '', '', '', '/', '/', '/**', '/*', '//', '\\'),
    fc.constantFrom('', '', '', '', '', '', ' ', '  ', '\\ ', ' \\ ', '\t', ' \\', '\\  ', '\r', '\0a'),
  )
  .map(([start, root, segments, end, tail]) => start + root + segments.join('/') + end + tail);
const line = fc.oneof(
  { weight: 12, arbitrary: pattern },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '#', '# a', '/', '!', '!/', '\\', ' ', '\r', '**', '*', '!*', '!*/', '/*', '!/a'),
  },
);
/** An ignore file: with a byte order mark or two, Windows line ends, a last line without its end. */
const ignoreFile = fc
  .tuple(
    fc.constantFrom('', '', '', '', '', '\xef\xbb\xbf', '\xef\xbb\xbf\xef\xbb\xbf'),
    fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n', '\r\r\n')), { maxLength: 10 }),
    fc.boolean(),
  )
  .map(
    ([mark, lines, isCut]) =>
      mark + lines.map(([text, end], index) => text + (isCut && index === lines.length - 1 ? '' : end)).join(''),
  )
  .map((text) => Uint8Array.from(Buffer.from(text, 'latin1')));
const noFile = fc.constant(new Uint8Array());

/** A repository with its rules, and the paths to check. */
export function repositories(paths: number): fc.Arbitrary<Repository> {
  return fc
    .tuple(
      fc.uniqueArray(path, { minLength: paths, maxLength: paths }),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 4 }), ignoreFile), { maxLength: 8 }),
      fc.oneof(ignoreFile, noFile),
      fc.oneof(ignoreFile, noFile),
      fc.boolean(),
    )
    .map(([all, placed, exclude, excludesFile, ignoresCase]) => {
      const above = (at: string, depth: number): string => at.split('/').slice(0, -1).slice(0, depth).join('/');
      const files = placed.map(([index, depth, text]) => [above(all[index % all.length] ?? '', depth), text] as const);
      const ignoreFiles = [...new Map(files)].map(([at, text]) => ({ folder: at, bytes: text }));
      const folders = new Set(
        ignoreFiles.flatMap((file) => {
          const names = file.folder.split('/');
          return names.map((_, index) => names.slice(0, index + 1).join('/'));
        }),
      );
      folders.delete('');
      // Folders are checked as such.
      const asked = [...new Set([...all, ...folders])].map((one) => ({ path: one, isFolder: folders.has(one) }));
      return { rules: { ignoreFiles, exclude, excludesFile, ignoresCase, folders: [...folders] }, paths: asked };
    });
}
