import { setImmediate } from 'node:timers/promises';
import { addTo } from '../../util/addTo.ts';
import { GrowingTree } from '../tree.ts';
import type { NumberedLine, NumberedLines } from './numberedLines.ts';

/** A root that was signed, or kept, for the first `size` lines. */
export interface Claim {
  readonly size: number;
  readonly root: Buffer;
}

/**
 * Lines that follow each other by their hashes. Where two lines follow the same one, the branch ends and two begin. A
 * log that is whole is one branch.
 */
export interface Branch {
  readonly parent: Branch | null;
  readonly first: NumberedLine;
  /** Whether another line has the number of its first one. */
  readonly isBeside: boolean;
  /** The number of its last line, and its leaf. */
  last: number;
  tip: Buffer;
  /** Null behind a line that is missing or altered, where no root is known, and where the branch has ended. */
  tree: GrowingTree | null;
  /** How many of the first lines are signed, counted through its parents too. */
  signed: number;
}

interface Gap {
  readonly first: number;
  readonly last: number;
}

/** What was found on the way from the first line to the last. */
export interface Walk<C extends Claim> {
  readonly branches: readonly Branch[];
  readonly gaps: readonly Gap[];
  /** Lines of which the next one says another hash. */
  readonly altered: readonly NumberedLine[];
  /** The branch on which a claim is true. */
  readonly fits: ReadonlyMap<C, Branch>;
  /** Claims of lines that are all there, whose root is another one. */
  readonly contradicted: ReadonlySet<C>;
  /** The first line that is older than the one before, by more than a second. */
  readonly clockBack: NumberedLine | null;
  /** The branches of lines that are not the only one of their number, by their leaf in hex. */
  readonly owners: ReadonlyMap<string, Branch>;
}

/** The clock of a machine may be set back so far without a note, in milliseconds. */
const clockSlack = 1_000;

/** Nothing else runs in an extension host for so many lines: some 10 ms. */
const linesAtOnce = 8_192;

/** Follows the lines from the first to the last, and compares each claim on the way. */
export async function walk<C extends Claim>(
  lines: NumberedLines,
  claims: readonly C[],
  signal?: AbortSignal,
): Promise<Walk<C>> {
  const branches: Branch[] = [];
  const gaps: Gap[] = [];
  const altered: NumberedLine[] = [];
  const owners = new Map<string, Branch>();
  const test = tester(claims);
  let clockBack: NumberedLine | null = null;
  let time = 0;
  let steps = 0;
  let before = 0;
  let alive: readonly Branch[] = [];
  for (const seq of lines.numbers()) {
    steps += 1;
    if (steps % linesAtOnce === 0) await breathe(signal);
    if (seq > before + 1) {
      gaps.push({ first: before + 1, last: seq - 1 });
      alive = goingOn(alive, []);
    }
    before = seq;
    const [only] = alive;
    // Nearly always.
    if (alive.length === 1 && only !== undefined && lines.isOnlyAfter(seq, only.tip)) {
      const line = lines.first(seq) as NumberedLine;
      extend(only, line);
      test.at(only);
      if (line.time < time - clockSlack) clockBack ??= line;
      time = line.time;
      continue;
    }
    const next = lines.all(seq);
    const isBehindLine = alive.length > 0;
    alive = goingOn(alive, follow(next, alive, branches));
    const isLinked = alive.some((branch) => branch.parent !== null || branch.first.seq < seq);
    if (isBehindLine && !isLinked) altered.push(lines.first(seq - 1) as NumberedLine);
    for (const [index, branch] of alive.entries()) {
      test.at(branch);
      const line = next[index] as NumberedLine;
      if (line.time < time - clockSlack) clockBack ??= line;
      if (next.length > 1) owners.set(line.leaf.toString('hex'), branch);
    }
    time = next[0]?.time ?? time;
  }
  return { branches, gaps, altered, clockBack, owners, ...test.result() };
}

/** The branches that go on; the others lose their trees, because there may be as many as lines. */
function goingOn(before: readonly Branch[], after: readonly Branch[]): readonly Branch[] {
  for (const branch of before) if (!after.includes(branch)) branch.tree = null;
  return after;
}

/** Lets others run, and stops if that is asked for. */
async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

function tester<C extends Claim>(claims: readonly C[]) {
  const bySize = new Map<number, C[]>();
  for (const claim of claims) addTo(bySize, claim.size, claim);
  const fits = new Map<C, Branch>();
  const tested = new Set<C>();
  return {
    at(branch: Branch): void {
      const here = branch.tree === null ? undefined : bySize.get(branch.last);
      const root = here === undefined ? undefined : branch.tree?.root();
      for (const claim of here ?? []) {
        tested.add(claim);
        if (root?.equals(claim.root) && !fits.has(claim)) fits.set(claim, branch);
      }
    },
    result: () => ({ fits, contradicted: new Set([...tested].filter((claim) => !fits.has(claim))) }),
  };
}

/** The branches with the next lines: each goes on, parts, or ends. */
function follow(next: readonly NumberedLine[], alive: readonly Branch[], branches: Branch[]): readonly Branch[] {
  const parents = next.map(({ prev }) => alive.find(({ tip }) => tip.equals(prev)) ?? null);
  return next.map((one, index) => {
    const parent = parents[index] ?? null;
    if (parent !== null && parents.filter((other) => other === parent).length === 1) return extend(parent, one);
    // A copy, because the parent may have two of them.
    const tree = parent === null ? (one.seq === 1 ? new GrowingTree() : null) : (parent.tree?.copy() ?? null);
    tree?.push(one.leaf);
    const isBeside = next.length > 1;
    const branch = { parent, first: one, isBeside, last: one.seq, tip: one.leaf, tree, signed: 0 };
    branches.push(branch);
    return branch;
  });
}

function extend(branch: Branch, line: NumberedLine): Branch {
  branch.tree?.push(line.leaf);
  branch.last = line.seq;
  branch.tip = line.leaf;
  return branch;
}

/** Marks the first `size` lines of a branch as signed, those of its parents too. */
export function markSigned(branch: Branch, size: number): void {
  for (let one: Branch | null = branch; one !== null; one = one.parent) {
    const signed = Math.min(size, one.last);
    // What leads to it is marked already.
    if (one.signed >= signed) return;
    one.signed = signed;
  }
}

/** The branch with the most signed lines, of those the longest, and all that lead to it. */
export class Trunk {
  /** Null without any line. */
  readonly end: Branch | null;
  readonly #branches = new Set<Branch>();
  readonly #owners: ReadonlyMap<string, Branch>;

  constructor({ branches, owners }: Pick<Walk<Claim>, 'branches' | 'owners'>) {
    this.end = branches.reduce<Branch | null>(
      (best, one) =>
        best === null || one.signed > best.signed || (one.signed === best.signed && one.last > best.last) ? one : best,
      null,
    );
    for (let one = this.end; one !== null; one = one.parent) this.#branches.add(one);
    this.#owners = owners;
  }

  /** How many lines of it are signed. */
  get signed(): number {
    return this.end?.signed ?? 0;
  }

  has(branch: Branch): boolean {
    return this.#branches.has(branch);
  }

  /** Its line with a number. */
  line(seq: number, lines: NumberedLines): NumberedLine | null {
    const all = lines.all(seq);
    return all.length < 2 ? (all[0] ?? null) : (all.find((line) => this.#isOn(line)) ?? null);
  }

  /** Whether a line is one of its signed ones. */
  covers(line: NumberedLine): boolean {
    return line.seq <= this.signed && this.#isOn(line);
  }

  #isOn({ leaf }: NumberedLine): boolean {
    const owner = this.#owners.get(leaf.toString('hex'));
    return owner === undefined || this.#branches.has(owner);
  }
}

/** Whether a line is signed, on whatever branch. */
export function isOnSigned(line: NumberedLine, trunk: Trunk, { owners }: Walk<Claim>): boolean {
  const owner = owners.get(line.leaf.toString('hex'));
  return owner === undefined ? trunk.covers(line) : owner.signed >= line.seq;
}
