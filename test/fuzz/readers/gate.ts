import { roomFor } from '../../../src/gate/fingerprints/normal.ts';
import { characterSet } from '../../../src/gate/secrets/runs.ts';
import { maskText, ruleNames, scanText } from '../../../src/gate/secrets/scanner.ts';
import { bytes, called, type Readers, text } from './reader.ts';

const marks = ['[masked: password abcde]', 'masked password ', '<masked:', '[masked]', 'MASKED-a-'];
const secret = { rule: 'password', tag: 'abcde', text: 'aaaaaaaa' };
const scanner = { scanText, maskText, ruleNames };
const ignore = ['*/', '**/a/', '[!a-z]', '[[:alpha:]]', '[[:', '\\ ', '!\\#'];
const config = ['[core]\n', '[core "a"]', 'excludesFile = ~/a\n', 'a = "b', '; ', ' [', '[ "\\"'];
const keys = ['-----BEGIN PRIVATE KEY-----\n', 'MIIEvQIBADANBgkq\n', 'AAAA', '+/==\n', '"AAAA" +\n'];
const secrets = [
  'mysql -pa1 ',
  'curl\n',
  `curl\n -uuuu:${'a'.repeat(200)}`,
  ` -uuuu:${'a'.repeat(200)}`,
  'password is a1 ',
  '--password a1 ',
  'а\x1b[1m\u200bpassword=',
  'password = "',
  "secret: '",
  'api_key=',
  'Bearer ',
  'AKIA',
  'eyJhbGciOi',
  'postgres://a:b@c/',
  "db://a'a@a:b@$",
  'xoxb-',
  'sk-',
];
const words = [
  'aaaa aaaa ',
  'the notes of the house\n',
  '12 | a\n',
  '+ a\n',
  'A=bcdefghijklmnop\n',
  '\\u0061',
  '%61',
  'YWFh',
];
const assigned = [
  'a: b, ',
  'A="',
  "x='y' ",
  '<a>b</a>',
  '<password a="">',
  'password="\\"',
  'token: [',
  'token: |\n',
  '--pass ',
  '-u a:b ',
  '{plain}',
  'a,password\n',
  '"",',
  'name="key"',
  '://:',
  'aB3$',
];

/** The room `gate`. */
export const gate: Readers = {
  'gate/content.ts': {
    asMade: text(),
    madeContent: called((read, given) => read(given, [], [])),
  },
  'gate/denials.ts': {
    builtInDenial: text('.env', '/.aws/', 'id_rsa', '.ssh/'),
    builtInDenialIn: called(
      (read, given) => (read(given) as (name: string) => unknown)(given),
      '.env',
      '/.aws/',
      'id_rsa',
    ),
  },
  'gate/exclusions.ts': { leadsElsewhere: text('/..', './') },
  'gate/globs/matchGlob.ts': { globPath: called((read, given) => read(given, true), 'ſ', 'K') },
  'gate/numbered.ts': { unnumbered: called((read, given) => read(given, 1), '1| ', '\n2| ') },
  'gate/fingerprints/characters.ts': { charactersOf: text(), withoutPrefix: text(...words, '12:', '@@ -1 ') },
  'gate/fingerprints/commonWords.ts': {
    commonIn: text(...words, 'return value; ', 'addEventListener'),
    hasCommonData: text(...words, '1, 0, ', 'true\n'),
  },
  'gate/fingerprints/imports.ts': {
    withoutImports: text(
      ...words,
      'import {\n',
      'use a::{b',
      "const a = require('",
      'import ( "a/b" ',
      '#include <',
      'from a import (',
    ),
  },
  'gate/fingerprints/publicAddresses.ts': { isPublicAddress: text('a.b/', 'https://', '../', 'node:') },
  'gate/fingerprints/leaveOut.ts': {
    passagesIn: called((read, given) => read(given, passages(given), () => 'a'), ...words),
    withPassagesLeftOut: called((read, given) =>
      read(
        given,
        passages(given).map(({ start, end }) => ({ start, end, files: ['a'], lines: 1 })),
      ),
    ),
  },
  'gate/fingerprints/normal.ts': {
    normalize: text(...words),
    unitsOf: text(),
    unitsInSlices: text(),
    normalizeIn: called(
      (read, given) => read(roomOf(given.length), Uint16Array.from(Buffer.from(given, 'latin1')), false),
      ...words,
    ),
  },
  'gate/fingerprints/assigned.ts': {
    assignedIn: text(...words, ...assigned),
    allAssignedIn: text(...words, ...assigned),
    mayHaveSecret: text(...words, ...assigned, '# key '),
  },
  'gate/fingerprints/assignedInLine.ts': {
    assignedInLine: text(...words, ...assigned),
    valueIn: text('"', '\\"', ' # ', '"""'),
    partsOf: text('"a", ', '\\"', "'"),
    listed: called((read, given) => read(given, [given])),
  },
  'gate/fingerprints/publicTexts.ts': { isPublic: text('.example', 'LICENSE', '.env.') },
  'gate/fingerprints/readings.ts': {
    marksOf: called(
      (read, given) => read(given, { at: Uint32Array.from(given, (_, at) => at) }, true),
      ...words,
      'return value; ',
      'a1B2c3D4',
    ),
  },
  'gate/fingerprints/values.ts': {
    isPassword: text('aB3$'),
    isRandom: text('aB3'),
    tokensIn: text(...words, 'a1B2c3D4', 'a-1_'),
  },
  'gate/ignore/bytes.ts': {
    bytesOf: text(),
    textOf: text('\xff\xfe'),
    foldBytes: text('aA'),
    hasClass: called((read, given) => read(given, 97, true)),
  },
  'gate/ignore/gitConfig.ts': {
    readGitConfig: text(...config),
    readConfigList: text('file:a\0core.a\nb\0', 'global\0'),
    booleanIn: text('true', 'off'),
    gitDirIn: text('gitdir: ', 'gitdir: a\n'),
  },
  'gate/ignore/pairs.ts': { neededPairs: text('a*', 'ab', '**/', '?[') },
  'gate/ignore/patterns.ts': {
    readPatterns: bytes(...ignore),
    askedBytes: called((read, given) => read(given, { ignoresCase: true })),
  },
  'gate/ignore/spelledRoot.ts': { spelledRoot: called((read, given) => read(given, given.slice(0, -2), true), '/a') },
  'gate/ignore/wildmatch.ts': {
    wildmatch: called(
      (read, given) =>
        read(given.slice(0, given.length / 2), given.slice(given.length / 2), {
          isPath: true,
          ignoresCase: true,
          work: { left: 2_000_000 },
        }),
      ...ignore,
    ),
  },
  'gate/secrets/examineJson.ts': {
    examineJson: called((read, given) => read({ [given.slice(0, 1_000)]: given }, 'a', scanner), ...secrets, ...marks),
  },
  'gate/secrets/examineText.ts': {
    examineText: called((read, given) => read(given, { where: null }, scanner), ...secrets, ...marks),
  },
  'gate/secrets/longWords.ts': { longWordsOf: text('aaaaaaaaaaa ', 'aB3-_./') },
  'gate/secrets/maskInRounds.ts': {
    maskInRounds: called((read, given) => read(given, {}, scanner, () => undefined), ...secrets, ...marks, ...keys),
  },
  'gate/secrets/matches.ts': {
    matcher: called(
      (read, given) => [...(read(given, /a=/g) as (to: number) => Iterable<unknown>)(given.length)],
      'a=',
    ),
    windowEnds: called((read, given) => [...(read(given) as Iterable<number>)]),
  },
  'gate/secrets/rules/keyLines.ts': {
    endOfKey: called((read, given) => read(given, 0), ...keys),
    pairsOfLines: called(
      (read, given) => [...(read(given) as (to: number) => Iterable<unknown>)(given.length)],
      ...keys,
    ),
    endOfLines: called((read, given) => read(given, 0, 64), ...keys),
    startOfKey: called((read, given) => read(given, 0, given.length), ...keys),
    startOfCutLine: called((read, given) => read(given, given.length), ...keys),
  },
  'gate/secrets/plainText.ts': {
    plainTextOf: text('\x1b[31m', '\x1b]8;;', '\u200b', 'а', 'a\\\n', '\udb40', '\\u001b['),
  },
  'gate/secrets/rules/named.ts': {
    isRandom: text('aB3dE'),
    isChosen: text('aB3dE', 'sha2'),
    isVariable: text('$A', '$'.concat('{a}'), '%A%', '{{'),
  },
  'gate/secrets/rules/privateKey.ts': { isOtherCode: called((read, given) => read(given, 0), ...keys) },
  'gate/secrets/runs.ts': {
    runsIn: called((read, given) => {
      const range = { from: 0, to: given.length, minLength: 40, maxLength: 1024 };
      return read(given, characterSet('A-Za-z0-9'), range);
    }, 'aB3 '),
  },
  'gate/secrets/scanner.ts': {
    scanText: text(...secrets, ...keys, ...marks),
    maskText: called((read, given) =>
      read(
        given,
        passages(given).map((one) => ({ ...one, rule: 'password' })),
      ),
    ),
  },
  'gate/secrets/marks/keptSecrets.ts': {
    piecesOf: text('\r\n', '\r', 'aaaaaaaa\n'),
    keptSecrets: called((read, given) => {
      const found = passages(given).map((one) => ({ ...one, rule: 'password' }));
      return read({ text: given, marks: found }, given);
    }, 'aaaaaaaa\n'),
  },
  'gate/secrets/marks/lostSecrets.ts': {
    lostSecrets: called(
      (read, given) => {
        const lines = given.split('\n');
        const change = { start: 0, end: lines.length, proposedStart: 0, proposedEnd: lines.length };
        return read(lines, [...lines].reverse(), [change], [secret], ruleNames);
      },
      ...marks,
      'aaaaaaaa\n',
      'x aaaaaaaa ',
    ),
  },
  'gate/secrets/marks/marks.ts': {
    markOf: called((read, given) => read('password', given)),
    marksIn: called((read, given) => [...(read(given, ruleNames) as Iterable<unknown>)], ...marks),
    withoutMarks: called((read, given) =>
      read(
        given,
        passages(given).map((one) => ({ ...one, rule: 'password' })),
      ),
    ),
    outsideMarks: called((read, given) => {
      const spans = passages(given).map((one) => ({ ...one, rule: 'password' }));
      return [...(read(given, spans, spans) as Iterable<unknown>)];
    }),
  },
  'gate/secrets/marks/putBack.ts': {
    putBack: called(
      (read, given) =>
        read(
          given,
          [...given.split('\n'), 'x = aaaaaaaa'],
          [secret, { ...secret, tag: 'b', text: 'aaaaaaaa\naa' }],
          ruleNames,
        ),
      ...marks,
      'x = [masked]\n',
      '[masked: password b]\n\n',
    ),
  },
  'gate/secrets/marks/tags.ts': { tagOf: text() },
  'gate/secrets/marks/writtenMarks.ts': {
    writtenMarks: called((read, given) => [...(read(given, ruleNames) as Iterable<unknown>)], ...marks),
    remainsOfMark: called((read, given) => read(given, ruleNames), ...marks, 'masked a-a-a-', '[ masked :'),
  },
};

/** Short spans all over a text. */
function passages(given: string): { start: number; end: number; file: number; kind: 'lines' }[] {
  const found: { start: number; end: number; file: number; kind: 'lines' }[] = [];
  for (let start = 0; start + 8 <= given.length; start += 64)
    found.push({ start, end: start + 8, file: 1, kind: 'lines' });
  return found;
}

function roomOf(length: number) {
  return roomFor(length);
}
