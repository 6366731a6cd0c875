import { addTo } from '../../util/groups.ts';
import { GrowingTree } from '../tree.ts';
import type { NumberedLine, NumberedLines } from './numberedLines.ts';
import { breathe } from './readLines.ts';

/** A signed or kept root of the first `size` lines. */
export interface Claim {
  readonly size: number;
  readonly root: Buffer;
}

export function largestOf(claims: Iterable<Pick<Claim, 'size'>>): number {
  let largest = 0;
  for (const { size } of claims) largest = Math.max(largest, size);
  return largest;
}

/**
 * A sequence of lines that are linked by their hashes. If two lines follow the same line, the branch ends and two new branches
 * begin. An intact log has one branch.
 */
export interface Branch {
  readonly parent: Branch | null;
  readonly first: NumberedLine;
  /** Whether another line has the same number as its first line. */
  readonly isBeside: boolean;
  /** The number of its last line; `tip` is the leaf of that line. */
  last: number;
  readonly tip: Buffer;
  /** The tree; null after a missing or altered line, because the root is unknown then, and after the end of the branch. */
  tree: GrowingTree | null;
  /** The number of signed lines, including its parents' lines. */
  signed: number;
}

interface Gap {
  readonly first: number;
  readonly last: number;
}

/** The result of following the lines from the first to the last. */
export interface Walk<C extends Claim> {
  readonly branches: readonly Branch[];
  readonly gaps: readonly Gap[];
  /** Lines whose hash differs from the `prev` of the next line. */
  readonly altered: readonly NumberedLine[];
  /** The branch on which a claim is true. */
  readonly fits: ReadonlyMap<C, Branch>;
  /** The first line that is older than the previous line, by more than a second. */
  readonly clockBack: NumberedLine | null;
  /** The branches of lines that share their number with another line, by their leaf in hex. */
  readonly owners: ReadonlyMap<string, Branch>;
}

/** The maximum time in milliseconds by which a clock may be set back without a report. */
const clockSlack = 1_000;

/** The number of lines, about 10 ms, after which the event loop gets a turn. */
const linesAtOnce = 8_192;

/** Follows the lines from the first to the last, and checks each claim. */
export async function walk<C extends Claim>(
  lines: NumberedLines,
  claims: readonly C[],
  signal?: AbortSignal,
): Promise<Walk<C>> {
  const walker = new Walker(lines, claims);
  const numbers = lines.numbers();
  for (let from = 0; from < numbers.length; from += linesAtOnce) {
    for (const seq of numbers.subarray(from, from + linesAtOnce)) walker.step(seq);
    await breathe(signal);
  }
  return walker;
}

/** The steps of walk(), outside of the asynchronous function, which is compiled to slower code. */
class Walker<C extends Claim> implements Walk<C> {
  readonly branches: Branch[] = [];
  readonly gaps: Gap[] = [];
  readonly altered: NumberedLine[] = [];
  readonly fits = new Map<C, Branch>();
  readonly owners = new Map<string, Branch>();
  clockBack: NumberedLine | null = null;
  readonly #lines: NumberedLines;
  readonly #claims = new Map<number, C[]>();
  #alive: readonly Branch[] = [];
  #seq = 0;
  #time = 0;

  constructor(lines: NumberedLines, claims: readonly C[]) {
    this.#lines = lines;
    for (const claim of claims) addTo(this.#claims, claim.size, claim);
  }

  step(seq: number): void {
    if (seq > this.#seq + 1) {
      this.gaps.push({ first: this.#seq + 1, last: seq - 1 });
      this.#keep([]);
    }
    this.#seq = seq;
    if (!this.#isExtended(seq)) this.#follow(seq);
  }

  /** Handles the usual case: the only line follows the only branch. */
  #isExtended(seq: number): boolean {
    const only = this.#alive.length === 1 ? this.#alive[0] : undefined;
    const time = only && this.#lines.stepTo(seq, only.tip);
    if (only === undefined || time == null) return false;
    only.tree?.push(only.tip);
    only.last = seq;
    this.#check(only);
    if (time < this.#time - clockSlack) this.clockBack ??= this.#lines.first(seq);
    this.#time = time;
    return true;
  }

  #follow(seq: number): void {
    const all = this.#lines.all(seq);
    const isBehindLine = this.#alive.length > 0;
    this.#keep(follow(all, this.#alive, this.branches));
    const isLinked = this.#alive.some((branch) => branch.parent !== null || branch.first.seq < seq);
    if (isBehindLine && !isLinked) this.altered.push(this.#lines.first(seq - 1) as NumberedLine);
    for (const [index, branch] of this.#alive.entries()) {
      this.#check(branch);
      const line = all[index] as NumberedLine;
      if (line.time < this.#time - clockSlack) this.clockBack ??= line;
      if (all.length > 1) this.owners.set(line.leaf.toString('hex'), branch);
    }
    this.#time = all[0]?.time ?? this.#time;
  }

  /** Keeps the branches that continue. The other branches release their trees: there may be as many branches as lines. */
  #keep(after: readonly Branch[]): void {
    for (const branch of this.#alive) if (!after.includes(branch)) branch.tree = null;
    this.#alive = after;
  }

  #check(branch: Branch): void {
    const here = branch.tree === null ? undefined : this.#claims.get(branch.last);
    if (here === undefined) return;
    const root = branch.tree?.root();
    for (const claim of here) if (root?.equals(claim.root) && !this.fits.has(claim)) this.fits.set(claim, branch);
  }
}

/** Adds the next lines to the branches: each branch continues, splits, or ends. */
function follow(next: readonly NumberedLine[], alive: readonly Branch[], branches: Branch[]): readonly Branch[] {
  const parents = next.map(({ prev }) => alive.find(({ tip }) => tip.equals(prev)) ?? null);
  return next.map((one, index) => {
    const parent = parents[index] ?? null;
    if (parent !== null && parents.filter((other) => other === parent).length === 1) return extend(parent, one);
    // The tree is copied, because the parent may have two branches.
    const tree = parent === null ? (one.seq === 1 ? new GrowingTree() : null) : (parent.tree?.copy() ?? null);
    tree?.push(one.leaf);
    const isBeside = next.length > 1;
    const branch = { parent, first: one, isBeside, last: one.seq, tip: Buffer.from(one.leaf), tree, signed: 0 };
    branches.push(branch);
    return branch;
  });
}

function extend(branch: Branch, line: NumberedLine): Branch {
  branch.tree?.push(line.leaf);
  branch.last = line.seq;
  line.leaf.copy(branch.tip);
  return branch;
}

/** Marks the first `size` lines of a branch as signed, including its parents' lines. */
export function markSigned(branch: Branch, size: number): void {
  for (let one: Branch | null = branch; one !== null; one = one.parent) {
    const signed = Math.min(size, one.last);
    // The parents of this branch are already marked.
    if (one.signed >= signed) return;
    one.signed = signed;
  }
}

/** The branch with the most signed lines (the longest of several), with its parents. */
export class Trunk {
  /** The last branch; null if there is no line. */
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

  /** The number of signed lines on the trunk. */
  get signed(): number {
    return this.end?.signed ?? 0;
  }

  has(branch: Branch): boolean {
    return this.#branches.has(branch);
  }

  /** Returns the line of the trunk with a number. */
  line(seq: number, lines: NumberedLines): NumberedLine | null {
    const all = lines.all(seq);
    return all.length < 2 ? (all[0] ?? null) : (all.find((line) => this.#isOn(line)) ?? null);
  }

  /** Whether a line is a signed line of the trunk. */
  covers(line: NumberedLine): boolean {
    return line.seq <= this.signed && this.#isOn(line);
  }

  #isOn({ leaf }: NumberedLine): boolean {
    const owner = this.#owners.get(leaf.toString('hex'));
    return owner === undefined || this.#branches.has(owner);
  }
}

/** Whether a line is signed on any branch. */
export function isOnSigned(line: NumberedLine, trunk: Trunk, { owners }: Walk<Claim>): boolean {
  const owner = owners.get(line.leaf.toString('hex'));
  return owner === undefined ? trunk.covers(line) : owner.signed >= line.seq;
}
