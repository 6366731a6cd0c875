import { type PlacedAnswer, placeAnswer } from '../../../src/edits/place.ts';
import { readAnswer } from '../../../src/edits/reading/answer.ts';
import { indentOf } from '../../../src/edits/text/lines.ts';
import type { Dice } from '../../tools/dice.ts';

/** A file, a place in it, what was meant to become of the place, and an answer in one of the forms of models. */
export interface Meant {
  readonly languageId: string;
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
  /** The place after the edit. */
  readonly now: readonly string[];
  /** Imports that the edit needs. */
  readonly imports: readonly string[];
  readonly form: string;
  readonly answer: string;
  /** The lines of code that the answer has, without marks for omitted lines and without those it removes. */
  readonly given: readonly string[];
  readonly mode: 'edit' | 'apply';
}

interface Style {
  readonly languageId: string;
  readonly info: string;
  readonly step: string;
  readonly comment: string;
  readonly imported: (name: string) => string;
  readonly open: (name: string, isMember: boolean) => string;
  readonly close: string | null;
  readonly group: (name: string) => string;
  readonly end: string;
  /** A statement over several lines, some of which stand at the left in any code. `n` makes it one of its own. */
  readonly text: (n: number, dice: Dice) => readonly string[];
  /** A statement with a first line that many statements have. */
  readonly block: (n: number, step: string) => readonly string[];
}

const tries = (n: number, step: string): readonly string[] => [
  'try {',
  `${step}call${n}(${n});`,
  '} finally {',
  `${step}done${n}();`,
  '}',
];

const braces = { close: '}', end: ';' } as const;
const styles: readonly Style[] = [
  {
    ...braces,
    ...{ languageId: 'typescript', info: 'ts', step: '  ', comment: '//' },
    imported: (name) => `import { ${name} } from './${name}';`,
    open: (name, isMember) =>
      isMember ? `${name}(a: number): number {` : `export function ${name}(a: number): number {`,
    group: (name) => `export class ${name} {`,
    text: (n, dice) => [`const text${n} = \``, `${' '.repeat(dice.below(5))}at the left ${dice.below(99)}`, '`;'],
    block: tries,
  },
  {
    ...braces,
    ...{ languageId: 'java', info: 'java', step: '    ', comment: '//' },
    imported: (name) => `import a.b.${name};`,
    open: (name) => `public int ${name}(int a) {`,
    group: (name) => `public class ${name} {`,
    text: (n, dice) => [`var text${n} = """`, `${' '.repeat(dice.below(5))}at the left ${dice.below(99)}`, '""";'],
    block: tries,
  },
  {
    ...braces,
    ...{ languageId: 'csharp', info: 'csharp', step: '    ', comment: '//' },
    imported: (name) => `using A.${name};`,
    open: (name) => `public int ${name}(int a) {`,
    group: (name) => `public class ${name} {`,
    // Directives stand at the left, or with the code.
    text: (n, dice) => [dice.below(2) === 0 ? '#if DEBUG' : ' #if DEBUG', `Log(${n});`, '#endif'],
    block: tries,
  },
  {
    ...braces,
    ...{ languageId: 'go', info: 'go', step: '\t', comment: '//', end: '' },
    imported: (name) => `import "${name}"`,
    open: (name) => `func ${name}(a int) int {`,
    group: (name) => `func ${name}Group() {`,
    text: (n, dice) => [`text${n} := \``, `at the left ${dice.below(99)}`, '`'],
    block: (n, step) => ['{', `${step}call${n}(${n})`, '}'],
  },
  {
    ...{ languageId: 'python', info: 'python', step: '    ', comment: '#', close: null, end: '' },
    imported: (name) => `import ${name}`,
    open: (name, isMember) => (isMember ? `def ${name}(self, a):` : `def ${name}(a):`),
    group: (name) => `class ${name}:`,
    text: (n, dice) => [`text${n} = """`, `${' '.repeat(dice.below(5))}at the left ${dice.below(99)}`, '"""'],
    block: (n, step) => ['try:', `${step}call${n}(${n})`, 'finally:', `${step}done${n}()`],
  },
];

/**
 * Code in which each statement and each name is one of its own, although statements begin alike: `try {`, `#if DEBUG`,
 * `send(`. Which of two equal ones an answer means is open, so that there are none.
 */
class Writer {
  readonly style: Style;
  readonly #dice: Dice;
  #count = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.style = dice.pick(styles);
  }

  statement(indent: string): readonly string[] {
    const { end, text, block, comment, step, close } = this.style;
    this.#count += 1;
    const n = this.#count;
    switch (this.#dice.below(12)) {
      case 0:
        return text(n, this.#dice).map((line) =>
          /^\s*(?:at the left|`;?$|""")|^#/.test(line) ? line : indent + line.trimStart(),
        );
      case 1:
        return [`${indent}${comment} note ${n}`, `${indent}call${n}(${n})${end}`];
      case 2: {
        const head = close === null ? `if value${n} > ${n}:` : `if (value${n} > ${n}) {`;
        return [`${indent}${head}`, `${indent}${step}call${n}(a)${end}`, ...(close === null ? [] : [indent + close])];
      }
      case 3:
        return block(n, step).map((line) => indent + line);
      case 4:
        return [this.#dice.below(2) === 0 ? `${indent}log("note ${n}")${end}` : `${indent}sum += ${n}${end}`];
      case 5:
        return [`${indent}send(`, `${indent}${step}${n},`, `${indent})${end}`];
      default:
        return [`${indent}call${n}(value, ${n})${end}`];
    }
  }

  body(indent: string, most: number): readonly (readonly string[])[] {
    return Array.from({ length: 1 + this.#dice.below(most) }, () => this.statement(indent));
  }

  name(): string {
    this.#count += 1;
    return `Name${this.#count}`;
  }

  /** Statements, some of them changed, gone or new. */
  changed(body: readonly (readonly string[])[], indent: string): readonly (readonly string[])[] {
    const all = body.flatMap((each) => {
      switch (this.#dice.below(8)) {
        case 0:
          return [];
        case 1:
          return [this.statement(indent)];
        case 2:
          return [each, this.statement(indent)];
        default:
          return [each];
      }
    });
    return all.length === 0 ? [this.statement(indent)] : all;
  }
}

/** A file with a function or a method as its place, and an answer for it. */
export function meantOf(dice: Dice): Meant {
  const writer = new Writer(dice);
  const { style } = writer;
  const { languageId, step, close } = style;
  const imports =
    languageId === 'go'
      ? ['package a', '', style.imported('fmt')]
      : [style.imported('first'), style.imported('second')];
  const unit = (
    indent: string,
    body: readonly (readonly string[])[],
    name: string,
    isMember: boolean,
  ): readonly string[] => [
    `${indent}${style.open(name, isMember)}`,
    ...body.flat(),
    ...(close === null ? [] : [indent + close]),
  ];
  const isMember = dice.below(2) === 0 && languageId !== 'go';
  const indent = isMember ? step : '';
  const some = (count: number): readonly string[] =>
    Array.from({ length: count }, () => [
      ...unit(indent, writer.body(indent + step, 6), writer.name(), isMember),
      '',
    ]).flat();
  const name = writer.name();
  const body = writer.body(indent + step, 9);
  const now = writer.changed(body, indent + step);
  const place = unit(indent, body, name, isMember);
  const head = [...imports, '', ...(isMember ? [style.group('Group')] : []), ...some(dice.below(3))];
  const tail = ['', ...some(dice.below(3)).slice(0, -1)];
  const lines = [...head, ...place, ...tail, ...(isMember && close !== null ? [close] : []), ''];
  const added = dice.below(4) === 0 ? [style.imported(languageId === 'go' ? 'errors' : 'third')] : [];
  const meant = {
    ...{ languageId, lines, start: head.length, end: head.length + place.length },
    ...{ now: unit(indent, now, name, isMember), imports: added },
  };
  return { ...meant, ...formed(dice, style, meant, { body, now, indent }) };
}

interface Bodies {
  readonly body: readonly (readonly string[])[];
  readonly now: readonly (readonly string[])[];
  readonly indent: string;
}

type Plain = Omit<Meant, 'form' | 'answer' | 'given' | 'mode'>;

/** The answer in a form. */
function formed(
  dice: Dice,
  style: Style,
  meant: Plain,
  bodies: Bodies,
): Pick<Meant, 'form' | 'answer' | 'given' | 'mode'> {
  const { now, imports, lines, start, end } = meant;
  const form = dice.pick([
    'whole',
    'dedented',
    'file',
    'diff',
    'search',
    'omitting',
    'imports apart',
    'unfenced',
  ] as const);
  const mode = dice.below(3) === 0 ? 'apply' : 'edit';
  const block = (code: readonly string[], info = style.info): string => `\`\`\`${info}\n${code.join('\n')}\n\`\`\`\n`;
  const top = imports.length === 0 ? [] : [...imports, ''];
  const words = dice.pick([
    '',
    'Here is the code:\n\n',
    '<think>\nLet me see.\n</think>\n',
    'I changed it.\n\n```sh\nmake test\n```\n\n',
  ]);
  const indent = indentOf(now[0] ?? '');
  // What is in a string stays: how a model would move it, nobody knows.
  const isIn = (line: string): boolean => /at the left|^(?:`;?|""";?)$/.test(line);
  const left = now.map((line) => (!isIn(line) && line.startsWith(indent) ? line.slice(indent.length) : line));
  const given = [...imports, ...now];
  switch (form) {
    case 'whole':
      return { form, mode, given, answer: words + block([...top, ...now]) };
    case 'dedented':
      return { form, mode, given, answer: words + block([...top, ...left]) };
    case 'imports apart':
      return {
        form,
        mode,
        given,
        answer: `${words}${imports.length === 0 ? '' : `Add this:\n${block(imports)}\nThen:\n`}${block(left)}`,
      };
    case 'unfenced':
      return { form, mode, given, answer: [...top, ...now].join('\n') };
    case 'file': {
      const file = [...lines.slice(0, start), ...now, ...lines.slice(end)];
      const last = file.findLastIndex((line) => /^(?:import|using)\b/.test(line)) + 1;
      return { form, mode, given, answer: words + block([...file.slice(0, last), ...imports, ...file.slice(last)]) };
    }
    case 'omitting':
      return { form, mode, ...omitting(dice, style, bodies, now, imports, block) };
    case 'search':
    case 'diff': {
      const old = lines.slice(start, end);
      const same = firstOther(old, now);
      const from = Math.max(0, same - 2);
      const change =
        form === 'search'
          ? `<<<<<<< SEARCH\n${old.slice(from).join('\n')}\n=======\n${now.slice(from).join('\n')}\n>>>>>>> REPLACE\n`
          : block(
              [
                '@@ -1,3 +1,4 @@',
                ...old.slice(from, same).map((line) => ` ${line}`),
                ...old.slice(same).map((line) => `-${line}`),
                ...now.slice(same).map((line) => `+${line}`),
              ],
              'diff',
            );
      const first = imports.length === 0 ? '' : `Add this:\n${block(imports)}\nThen:\n`;
      return {
        form,
        mode,
        given: [...imports, ...now.slice(from)],
        answer: first + (form === 'search' ? block(change.trimEnd().split('\n'), '') : change),
      };
    }
  }
}

function firstOther(one: readonly string[], other: readonly string[]): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return Math.min(at, one.length - 1, other.length - 1);
}

/** Some of the statements that are as before are left out, behind a mark. */
function omitting(
  dice: Dice,
  { comment, step }: Style,
  { body, now: statements, indent }: Bodies,
  now: readonly string[],
  imports: readonly string[],
  block: (code: readonly string[]) => string,
): Pick<Meant, 'answer' | 'given'> {
  const kept = new Set(body);
  const from = dice.below(statements.length);
  let to = from;
  while (
    to < statements.length &&
    kept.has(statements[to] ?? []) &&
    isNext(body, statements, from, to) &&
    dice.below(6) > 0
  )
    to += 1;
  if (!isWhole(body, statements, from, to)) to = from;
  const said = dice.pick(['... existing code ...', '...', '… rest unchanged …', 'rest of the code remains the same']);
  const mark = to === from ? [] : [`${indent}${step}${comment} ${said}`];
  const before = statements.slice(0, from).flat();
  const after = statements.slice(to).flat();
  const first = now[0] ?? '';
  const last = now.slice(1 + statements.flat().length);
  const top = imports.length === 0 ? [] : [...imports, ''];
  return {
    answer: block([...top, first, ...before, ...mark, ...after, ...last]),
    given: [...imports, first, ...before, ...after, ...last],
  };
}

/** Whether the omitted statements follow each other before the edit, too. */
function isNext(
  body: readonly (readonly string[])[],
  now: readonly (readonly string[])[],
  from: number,
  to: number,
): boolean {
  if (to === from) return true;
  return body.indexOf(now[to] ?? []) === body.indexOf(now[to - 1] ?? []) + 1;
}

/** Whether nothing is gone beside the omitted statements: nobody could know it from such an answer. */
function isWhole(
  body: readonly (readonly string[])[],
  now: readonly (readonly string[])[],
  from: number,
  to: number,
): boolean {
  if (to === from) return false;
  const places = now.map((each) => body.indexOf(each));
  const [first, last] = [places[from] ?? 0, places[to - 1] ?? 0];
  const before = places.slice(0, from).findLast((each) => each !== -1) ?? -1;
  const after = places.slice(to).find((each) => each !== -1) ?? body.length;
  return before + 1 === first && last + 1 === after;
}

export function placedFor({ languageId, lines, start, end, answer, mode }: Meant): PlacedAnswer {
  const place =
    mode === 'apply'
      ? { start: 0, end: lines.length, indent: '' }
      : { start, end, indent: indentOf(lines[start] ?? '') };
  return placeAnswer(readAnswer(answer), { lines, languageId, mode, places: [place] });
}

/** The file as it was meant. */
export function meantLines({ lines, start, end, now, imports }: Meant): readonly string[] {
  const file = [...lines.slice(0, start), ...now, ...lines.slice(end)];
  const last = file.findLastIndex((line) => /^(?:import|using)\b/.test(line)) + 1;
  return [...file.slice(0, last), ...imports, ...file.slice(last)];
}

/** An answer with lines gone, repeated, moved or indented otherwise, and prose between. */
export function spoiledAnswer(answer: string, dice: Dice): string {
  const lines = answer.split('\n');
  for (let most = 1 + dice.below(3); most > 0; most -= 1) {
    const at = dice.below(lines.length);
    const line = lines[at] ?? '';
    if (/^```/.test(line)) continue;
    switch (dice.below(6)) {
      case 0:
        lines.splice(at, 1);
        break;
      case 1:
        lines.splice(at, 0, line);
        break;
      case 2:
        lines[at] = `  ${line}`;
        break;
      case 3:
        lines[at] = line.trimStart();
        break;
      case 4:
        lines.splice(at, 0, '// ... existing code ...');
        break;
      default:
        lines[at] = `${line} changed`;
    }
  }
  return lines.join('\n');
}
