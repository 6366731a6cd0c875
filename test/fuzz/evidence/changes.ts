import { leafOf } from '../../../src/evidence/line.ts';
import { rootOf } from '../../../src/evidence/tree.ts';
import type { Dice } from '../../tools/dice.ts';
import { EvidenceLog } from '../../tools/evidenceLog.ts';

/** A folder of a log: each file with its bytes, one character each. */
export type Folder = ReadonlyMap<string, string>;

type Change = (files: Map<string, string>, name: string, dice: Dice) => void;

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

function spliced(text: string, at: number, count: number, insert: string): string {
  return text.slice(0, at) + insert + text.slice(at + count);
}

/** Changes one line of a file, or its place among the lines. */
const byLine =
  (change: (lines: string[], at: number, dice: Dice, files: Map<string, string>) => void): Change =>
  (files, name, dice) => {
    const lines = (files.get(name) ?? '').split('\n');
    change(lines, dice.below(Math.max(1, lines.length - 1)), dice, files);
    files.set(name, lines.join('\n'));
  };

const byByte =
  (change: (text: string, at: number, dice: Dice) => string): Change =>
  (files, name, dice) => {
    const text = files.get(name) ?? '';
    files.set(name, change(text, dice.below(Math.max(1, text.length)), dice));
  };

/** As someone does who has all files and no key. */
function relink(lines: string[], from: number): void {
  for (let at = from; at < lines.length; at += 1) {
    const before = lines.slice(0, at).findLast((line) => line.includes('"prev":"')) ?? '';
    lines[at] = (lines[at] ?? '').replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${leafOf(before).toString('hex')}"`);
  }
}

export const changes: Readonly<Record<string, Change>> = {
  'a bit': byByte((text, at, dice) =>
    spliced(text, at, 1, String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << dice.below(8)))),
  ),
  'a character': byByte((text, at, dice) => spliced(text, at, 1, dice.text(1, printable))),
  'bytes taken out': byByte((text, at, dice) => spliced(text, at, 1 + dice.below(40), '')),
  'bytes put in': byByte((text, at, dice) =>
    spliced(text, at, 0, dice.text(1 + dice.below(20), `${printable}\n\0\x1b\xff`)),
  ),
  'the end': byByte((text, at) => text.slice(0, at)),
  'more at the end': (files, name, dice) => void files.set(name, `${files.get(name)}${dice.text(9, `${printable}\n`)}`),
  'a digit': byByte((text, at, dice) => {
    const digit = text.slice(at).search(/\d/);
    return digit < 0 ? text : spliced(text, at + digit, 1, String(dice.below(10)));
  }),
  'a line taken out': byLine((lines, at) => lines.splice(at, 1)),
  'a line twice': byLine((lines, at) => lines.splice(at, 0, lines[at] ?? '')),
  'a line moved': byLine((lines, at, dice) => {
    const [line = ''] = lines.splice(at, 1);
    lines.splice(dice.below(lines.length), 0, line);
  }),
  'two lines swapped': byLine((lines, at, dice) => {
    const other = dice.below(Math.max(1, lines.length - 1));
    [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
  }),
  'a line of another file': byLine((lines, at, dice, files) => {
    const others = dice.pick([...files.values()]).split('\n');
    lines.splice(at, dice.below(2), others[dice.below(Math.max(1, others.length - 1))] ?? '');
  }),
  'a digit, linked anew': byLine((lines, at, dice) => {
    const line = lines[at] ?? '';
    const digits = [...line.matchAll(/\d/g)].map(({ index }) => index);
    lines[at] = spliced(line, digits[dice.below(Math.max(1, digits.length))] ?? 0, 1, String(dice.below(10)));
    relink(lines, at + 1);
  }),
  'lines taken out, numbered and linked anew': byLine((lines, at, dice) => {
    const count = 1 + dice.below(3);
    lines.splice(at, Math.min(count, Math.max(0, lines.length - 1 - at)));
    for (let index = at; index < lines.length; index += 1)
      lines[index] = (lines[index] ?? '').replace(/"seq":(\d+)/, (_, seq) => `"seq":${Number(seq) - count}`);
    relink(lines, Math.max(1, at));
  }),
  'a file taken out': (files, name) => void files.delete(name),
  'a file emptied': (files, name) => void files.set(name, ''),
  'a file under another name': (files, name, dice) => {
    const other = dice.pick([...files.keys()]);
    const [one = '', two = ''] = [files.get(name), files.get(other)];
    files.set(name, two).set(other, one);
  },
  'a session taken out, which a ledger of another key removed': (files, name, dice) => {
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(name)?.[0];
    if (id === undefined) return;
    for (const own of [...files.keys()]) if (own.includes(id)) files.delete(own);
    const thief = new EvidenceLog(`thief ${dice.below(9)}`).open();
    const root = rootOf([leafOf(name)]).toString('base64');
    thief.add({ kind: 'removed', session: id, size: 1 + dice.below(9), root, why: 'retention' });
    thief.sign();
    files.set(thief.ledgerFile, thief.lines.map((line) => `${line}\n`).join(''));
  },
  'lines of a part moved to the next': (files, name, dice) => {
    const next = [...files.keys()][[...files.keys()].indexOf(name) + 1] ?? name;
    const lines = (files.get(name) ?? '').split('\n');
    const moved = lines.splice(-2 - dice.below(3), 1).map((line) => `${line}\n`);
    files.set(name, lines.join('\n')).set(next, moved.join('') + (files.get(next) ?? ''));
  },
};

/**
 * What a log says: the lines of each session, ledger and other file. Where a part ends is not signed, and checkpoints may be
 * lost and doubled without harm.
 */
export function contentOf(files: Folder): string {
  const content = [...files].flatMap(([name, text]) => {
    const lines = text.split('\n');
    // What follows the last end of line was never written whole.
    lines.pop();
    const own = lines.filter((line) => !line.includes('"kind":"checkpoint","note":"'));
    return own.map((line) => `${name.replace(/-\d{4}\.jsonl$/, '')} ${line}`);
  });
  return content.join('\n');
}

/** What of a file is not as it was. */
export interface Changed {
  /** Lines, counted from 1; every line of a file that is gone. */
  readonly first: number;
  readonly last: number;
  /** The numbers that these lines have or had. */
  readonly numbers: ReadonlySet<number>;
  /** None of its lines is left whole. */
  readonly isGone: boolean;
}

export function changedIn(before: string, after: string | undefined): Changed {
  // With its end: a line without one was never written whole, and so has changed.
  const linesOf = (text: string) => text.split(/(?<=\n)/);
  const [old, now] = [linesOf(before), linesOf(after ?? '')];
  let first = 0;
  while (first < old.length && old[first] === now[first]) first += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - first && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changed = [...old.slice(first, old.length - end), ...now.slice(first, now.length - end)];
  return {
    ...{ first: first + 1, last: Math.max(old.length, now.length) - end },
    numbers: new Set(changed.flatMap((line) => numberOf(line) ?? [])),
    isGone: !old.some((line) => line.endsWith('\n') && now.includes(line)),
  };
}

/** The number of a line; null if it has none. */
export function numberOf(line: string): number | null {
  const found = /^\{"v":2,"(?:session|ledger)":"[^"]*","seq":(\d+)/.exec(line);
  return found === null ? null : Number(found[1]);
}
