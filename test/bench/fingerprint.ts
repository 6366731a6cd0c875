import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fingerprints } from '../../src/gate/fingerprints/fingerprints.ts';
import { passagesIn, withPassagesLeftOut } from '../../src/gate/fingerprints/leaveOut.ts';
import { licenses } from '../../src/gate/fingerprints/licenses.ts';
import { constants } from '../../src/gate/fingerprints/publicTexts.ts';
import { environmentFile } from '../fuzz/fingerprint/files.ts';
import { find, indexOf } from '../fuzz/fingerprint/measure.ts';
import { Dice } from '../tools/dice.ts';
import { finished, processorMs } from '../tools/processorTime.ts';
import { median } from './client/median.ts';
import { findingIn } from './finding.ts';
import { megabyte, type Text, texts } from './gateTexts.ts';
import { plainScan, unitsOf } from './plainScan.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'test-results', 'bench');

/**
 * Speed as a multiple of a plain scan of a megabyte in the same run (plainScan.ts), of which docs/performance.md says where it
 * comes from; memory in MiB; false alarms in percent of ordinary files.
 */
const limits = {
  check: { few: 7, many: 14, hostile: 18.7 },
  build: 28,
  memory: { few: 2, cap: 24 },
  alarms: { credentials: 0, sources: 3 },
  /** By the clock: most of it is git's. */
  finding: 1_000,
  /** Between two pauses, in a text of 8 MB. */
  step: 50,
};

interface Row {
  readonly what: string;
  readonly is: string;
  readonly atMost: string;
  readonly isMet: boolean;
}

/** Measures the recognition of excluded files, and prints each figure beside its limit. Returns the exit code. */
export async function fingerprintBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const dice = new Dice(5);
  const few = Array.from({ length: 100 }, () => environmentFile(dice));
  const many = Array.from({ length: 1_000 }, () => environmentFile(dice));
  const ordinary = ordinaryFiles();
  const sources = ordinary.filter(({ path }) => /\.[cm]?[jt]s$/.test(path)).slice(0, 1_000);
  const rows: Row[] = [];
  const add = (what: string, value: number, limit: number, unit: string): void => {
    rows.push({ what, is: `${value.toFixed(1)} ${unit}`, atMost: `${limit} ${unit}`, isMet: value <= limit });
  };
  const compare = (what: string, { times, ms }: Compared, limit: number): void => {
    rows.push({ what, is: `${times.toFixed(1)} x (${ms.toFixed(1)} ms)`, atMost: `${limit} x`, isMet: times <= limit });
  };
  const peer = new Peer(Number(rounds));
  compare(
    'build, 100 files',
    peer.beside(() => indexOf(few, true)),
    limits.build,
  );
  const ofFew = indexOf(few, true);
  const ofMany = indexOf(many, true);
  const ofSources = indexOf(
    sources.map(({ text }) => text),
    false,
  );
  add('memory, 100 files', mebibytes(ofFew), limits.memory.few, 'MiB');
  add('memory, 1,000 source files', mebibytes(ofSources), limits.memory.cap, 'MiB');
  add('memory, full', mebibytes(full(ordinary)), limits.memory.cap, 'MiB');
  let worst = { name: '', times: 0, ms: 0 };
  for (const { name, isHostile, unit } of [...texts(root), ...tables(dice), ...repeated(few)]) {
    const text = megabyte(unit);
    const compared = peer.beside(() => find(ofFew, text));
    if (!isHostile) {
      compare(`check ${name}, 100 files, per MB`, compared, limits.check.few);
      compare(
        `check ${name}, 1,000 files, per MB`,
        peer.beside(() => find(ofMany, text)),
        limits.check.many,
      );
    } else if (compared.times > worst.times) worst = { name, ...compared };
  }
  compare(`check the worst text (${worst.name}), per MB`, worst, limits.check.hostile);
  const longest = repeated(few).map(({ unit }) => longestStep(ofFew, megabyte(unit).repeat(8)));
  add('longest step in 8 MB', Math.max(...longest), limits.step, 'ms');
  add(
    `alarms of 100 files in ${ordinary.length} ordinary files`,
    alarms(ofFew, ordinary),
    limits.alarms.credentials,
    '%',
  );
  const own = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  add(
    `alarms of ${own.length} source files in other packages, mean of ${keys} keys`,
    alarmsOfSources(own, ordinary),
    limits.alarms.sources,
    '%',
  );
  add('finding the excluded of 200,000 files', await findingIn(200_000), limits.finding, 'ms');
  const peerMs = median(peer.ms);
  console.log(
    `Processor time, medians of ${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}. x: as a multiple of a plain scan of a megabyte, by turns with it (${peerMs.toFixed(1)} ms).`,
  );
  console.table(
    rows.map(({ what, is, atMost, isMet }) => ({ '': what, is, 'at most': atMost, met: isMet ? 'met' : 'MISSED' })),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'fingerprint.json'), `${JSON.stringify({ peerMs, rows }, null, 2)}\n`);
  return check && rows.some(({ isMet }) => !isMet) ? 1 : 0;
}

interface OrdinaryFile {
  readonly path: string;
  readonly text: string;
}

/** Alarms are measured in at least so many files. */
const ordinaryCount = 10_000;

/** All texts of packages, in an order that does not depend on the file system. */
function ordinaryFiles(): readonly OrdinaryFile[] {
  const found: OrdinaryFile[] = [];
  for (const path of globSync('node_modules/**/*.{js,ts,mjs,cjs,json,md,css,yml,txt}', { cwd: root }).toSorted()) {
    const whole = join(root, path);
    const state = statSync(whole);
    if (state.isFile() && state.size <= 300_000) found.push({ path, text: readFileSync(whole, 'utf8') });
  }
  if (found.length < ordinaryCount) throw new Error(`node_modules has only ${found.length} ordinary files`);
  return found;
}

/** Public texts and values, each more than there is room for, and then files until there is none. */
function full(files: readonly OrdinaryFile[]): Fingerprints {
  const prints = new Fingerprints();
  for (const { text } of files.slice(0, 500)) finished(prints.addPublic(text));
  const dice = new Dice(6);
  const values = (count: number): string =>
    Array.from({ length: count }, () => `KEY=${dice.text(12, 'ABCDEFGHabcdefgh')}7k`).join('\n');
  finished(prints.addPublic(values(4_000)));
  let number = files.length;
  do number += 1;
  while (finished(prints.add({ file: number, text: values(1_000), isCredential: true })) !== 'noRoom');
  for (const [index, { text }] of files.slice(0, 3_000).entries()) {
    finished(prints.add({ file: index + 1, text, isCredential: true }));
  }
  return prints;
}

/** Texts whose lines begin like the prefixes of listings. */
function tables(dice: Dice): readonly Text[] {
  const lines = (line: (index: number) => string): string =>
    Array.from({ length: 2_000 }, (_, at) => line(at)).join('');
  const [digits, letters] = ['0123456789', 'abcdefghijkl'];
  return [
    {
      name: 'CSV',
      isHostile: false,
      unit: lines(
        (at) => `${at},${dice.text(8, letters)},${dice.text(5, digits)},2024-05-01,${dice.text(9, digits)}\n`,
      ),
    },
    {
      name: 'a log',
      isHostile: false,
      unit: lines(
        (at) =>
          `2024-05-01 12:${10 + (at % 50)}:01,123 INFO server[${at}]: request of ${dice.text(8, letters)} took ${at} ms\n`,
      ),
    },
  ];
}

/** The excluded files themselves, as they are and in base64: all of it is found. */
function repeated(files: readonly string[]) {
  const all = files.join('');
  return [
    { name: 'the excluded files', isHostile: true, unit: all },
    { name: 'the excluded files in base64', isHostile: true, unit: Buffer.from(all).toString('base64') },
    {
      name: 'the excluded files in short runs of base64',
      isHostile: true,
      unit: (Buffer.from(all).toString('base64').match(/.{24}/g) ?? []).join(' '),
    },
    { name: 'the excluded files, percent-encoded', isHostile: true, unit: encodeURIComponent(all) },
    { name: 'one value', isHostile: true, unit: `${/PASSWORD=(\S+)/.exec(all)?.[1]} ` },
    { name: 'paths before lines', isHostile: true, unit: 'a/b:1:\n' },
    { name: 'ampersands', isHostile: true, unit: '&amp;' },
    { name: 'backslashes', isHostile: true, unit: '\\' },
  ];
}

/** The longest time without a pause while a text is searched and its passages are left out, in ms. */
function longestStep(prints: Fingerprints, text: string): number {
  let longest = 0;
  const inSteps = <T>(work: Generator<null, T>): T => {
    for (;;) {
      const from = processorMs();
      const step = work.next();
      longest = Math.max(longest, processorMs() - from);
      if (step.done === true) return step.value;
    }
  };
  const found = inSteps(prints.find(text));
  inSteps(withPassagesLeftOut(text, inSteps(passagesIn(text, found, () => 'a'))));
  return longest;
}

/** The random key decides which grams of a file are kept: with some keys, an idiom raises hundreds of alarms. */
const keys = 5;

/** In percent. Public texts are added first, as in the product. */
function alarmsOfSources(own: readonly string[], files: readonly OrdinaryFile[]): number {
  let sum = 0;
  for (let key = 0; key < keys; key += 1) {
    const prints = new Fingerprints();
    for (const text of [...constants, ...licenses]) finished(prints.addPublic(text, 'constant'));
    for (const [index, text] of own.entries()) finished(prints.add({ file: index + 1, text, isCredential: false }));
    sum += alarms(prints, files);
  }
  return sum / keys;
}

/** In percent. */
function alarms(prints: Fingerprints, files: readonly OrdinaryFile[]): number {
  const found = files.filter(({ text }) => find(prints, text).length > 0);
  return (100 * found.length) / files.length;
}

function mebibytes({ size }: Fingerprints): number {
  return size / 1024 / 1024;
}

/** The clock of a thread advances in steps of some milliseconds: a round is so many times the work. */
const timesInARound = 5;
/** A scan takes a fraction of what is compared with it, and less than a step of the clock. */
const scansAtOnce = 8;
/** The scan is compiled for good after so many calls. */
const firstScans = 20;

interface Compared {
  /** The median of the rounds, as a multiple of the peer. */
  readonly times: number;
  readonly ms: number;
}

/** The plain scan, by turns with what is compared with it: what slows down one also slows down the other. */
class Peer {
  /** The time of one scan in each round so far. */
  readonly ms: number[] = [];
  readonly #rounds: number;
  readonly #units = unitsOf(megabyte(readFileSync(join(root, 'README.md'), 'utf8')));

  constructor(rounds: number) {
    this.#rounds = rounds;
    for (let count = 0; count < firstScans; count += 1) plainScan(this.#units);
  }

  beside(work: () => unknown): Compared {
    work();
    const rounds = Array.from({ length: this.#rounds }, () => this.#round(work));
    return { times: median(rounds.map(({ times }) => times)), ms: median(rounds.map(({ ms }) => ms)) };
  }

  #round(work: () => unknown): Compared {
    let [ours, theirs] = [0, 0];
    for (let turn = 0; turn < timesInARound; turn += 1) {
      const from = processorMs();
      work();
      const between = processorMs();
      for (let scan = 0; scan < scansAtOnce; scan += 1) plainScan(this.#units);
      ours += between - from;
      theirs += (processorMs() - between) / scansAtOnce;
    }
    this.ms.push(theirs / timesInARound);
    return { times: ours / theirs, ms: ours / timesInARound };
  }
}
