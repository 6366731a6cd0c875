import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChangeSet, canCarryOver, changeLimits, type FileChange } from '../../src/features/edits/common/changeSet.ts';
import { type Accepted, type Choice, undoChanges, writeChanges } from '../../src/features/edits/common/writeChanges.ts';
import { Dice } from '../tools/dice.ts';
import { MemoryFiles } from '../tools/memoryFiles.ts';
import { checkInTime, type Group } from './group.ts';

const first: Readonly<Record<string, string>> = {
  'a.ts': 'one\ntwo\nthree\nfour\nfive\n',
  'B.ts': '\uFEFFone\r\ntwo\r\nthree\r\nüber\r\nfive',
  'dir/c.ts': 'a\n\na\n\na\n\nb',
  'dir/empty.ts': '',
};
const paths = [...Object.keys(first), 'A.ts', 'b.ts', 'new.ts', 'dir', 'dir/d.ts', 'a.ts/x.ts', 'new.ts/y.ts'];

/** A conversation in which a model proposes, the user decides, and in some the user types and the disk fails. */
class Play {
  readonly files = new MemoryFiles(first);
  readonly set = new ChangeSet({ ignoresCase: false });
  /** Each accept, with the files before and after it. */
  readonly accepts: { accepted: Accepted<string>; before: Texts; after: Texts }[] = [];
  readonly #dice: Dice;
  readonly #mayFail: boolean;

  constructor(seed: number, mayFail: boolean) {
    this.#dice = new Dice(seed);
    this.#mayFail = mayFail;
  }

  async step(): Promise<void> {
    const dice = this.#dice;
    const path = dice.pick(paths);
    const before = this.now();
    switch (dice.below(this.#mayFail ? 12 : 11)) {
      case 0:
      case 1:
      case 2: {
        const lines = this.set.linesAt(path) ?? this.#current(path) ?? ['new', 'file'];
        this.set.write(path, changed(lines, dice), this.#current(path));
        break;
      }
      case 3:
        this.set.delete(path, this.#current(path));
        break;
      case 4: {
        const to = dice.pick(paths);
        this.set.rename(path, to, this.#current(path), this.#isOnDisk(to));
        break;
      }
      case 5:
      case 6:
      case 7:
        return this.#accept();
      case 8: {
        const change = this.#open();
        if (change === undefined) break;
        const hunks = change.draft.hunks;
        if (dice.below(2) === 0) this.set.rejected(change);
        else if (hunks.length > 0) this.set.rejected(change, [dice.pick(hunks)]);
        break;
      }
      case 9:
        return this.undo();
      case 10:
        this.#carryOver(this.#open());
        break;
      default: {
        const there = dice.pick([...before.keys(), path]);
        if (!this.#isOnDisk(there) || before.has(there))
          this.files.texts.set(there, `${before.get(there) ?? ''}\ntyped`);
        return;
      }
    }
    assert.deepEqual(this.now(), before, 'only an accept or an undo writes');
    assertLimits(this.set);
  }

  /** Carries a change over to the present text of its file, whose lines are then all in what is shown. */
  #carryOver(change: FileChange | undefined): void {
    if (change === undefined || !canCarryOver(change)) return;
    const { draft } = change;
    const before = [draft.original, draft.proposed, draft.hunks];
    const current = this.files.linesNow(change.from ?? '');
    if (this.set.carryOver(change, current)) assert.deepEqual(draft.original, current);
    else assert.deepEqual([draft.original, draft.proposed, draft.hunks], before);
  }

  /** Undoes the last accept. */
  async undo(): Promise<void> {
    const last = this.accepts.pop();
    if (last === undefined) return;
    const before = this.now();
    const left = await undoChanges(last.accepted, this.files);
    const now = this.now();
    if (!this.#mayFail) {
      assert.deepEqual(left, []);
      assert.deepEqual(now, last.before);
    }
    for (const path of new Set([...before.keys(), ...last.after.keys()])) {
      if (before.get(path) !== last.after.get(path))
        assert.equal(now.get(path), before.get(path), `${path} was changed since`);
    }
  }

  now(): Texts {
    return new Map(this.files.texts);
  }

  async #accept(): Promise<void> {
    const open = this.set.changes.filter(({ state }) => state === 'proposed' || state === 'stale');
    // After an undo, a hunk may be there again.
    for (const change of open) this.set.check(change, this.files.linesNow(change.from ?? change.to ?? ''));
    const isAll = this.#dice.below(3) === 0;
    const choices = isAll ? open.map((change) => ({ change })) : this.#someOf(this.#open());
    const before = this.now();
    const meant = choices.map((choice) => this.#meant(choice));
    const from = this.files.written.length;
    if (this.#mayFail && this.#dice.below(3) === 0) this.files.failsAt = from + this.#dice.below(4);
    const accepted = await writeChanges(this.set, choices, this.files);
    this.files.failsAt = Number.POSITIVE_INFINITY;
    const after = this.now();
    this.accepts.push({ accepted, before, after });
    const named = new Set(choices.flatMap(({ change: { from, to } }) => [from, to]));
    assert.ok(
      this.files.written.slice(from).every((path) => named.has(path)),
      'only accepted files are written',
    );
    for (const { path, lines, isStale } of meant) {
      if (isStale)
        assert.equal(after.get(path), before.get(path), `${path} has another text than the change was made for`);
      else if (accepted.stopped === undefined)
        assert.deepEqual(this.files.linesNow(path), lines, 'what was shown is written');
    }
    // An undo may have brought back another text.
    if (!this.#mayFail && !meant.some(({ isStale }) => isStale)) assert.equal(accepted.stopped, undefined);
  }

  /** What the user saw of a choice: the lines at the path where it ends. */
  #meant({ change, hunks }: Choice): { path: string; lines: readonly string[] | null; isStale: boolean } {
    const { from, to, draft } = change;
    const own = from === null ? null : this.files.linesNow(from);
    const isNew = from === null || (from !== to && hunks === undefined);
    const isTaken = isNew && to !== null && this.files.linesNow(to) !== null;
    const isStale = isTaken || (from !== null && (own === null || !draft.fits(own.join('\n'))));
    if (hunks === undefined || from === null)
      return { path: to ?? from ?? '', lines: to === null ? null : draft.proposed, isStale };
    const [hunk] = hunks;
    if (hunk === undefined || hunks.length > 1)
      return { path: from, lines: hunk === undefined ? own : draft.proposed, isStale };
    const put = draft.proposed.slice(hunk.proposedStart, hunk.proposedEnd);
    return { path: from, lines: draft.original.toSpliced(hunk.start, hunk.end - hunk.start, ...put), isStale };
  }

  #someOf(change: FileChange | undefined): readonly Choice[] {
    if (change === undefined) return [];
    const { hunks } = change.draft;
    if (hunks.length === 0 || this.#dice.below(2) === 0) return [{ change }];
    return [{ change, hunks: this.#dice.below(4) === 0 ? hunks : [this.#dice.pick(hunks)] }];
  }

  #open(): FileChange | undefined {
    const open = this.set.changes.filter(({ state }) => state === 'proposed' || state === 'stale');
    return open.length === 0 ? undefined : this.#dice.pick(open);
  }

  /** The lines of the file that is, or will be, at a path. */
  #current(path: string): readonly string[] | null {
    const change = this.set.openAt(path);
    return this.files.linesNow(change?.from ?? path);
  }

  #isOnDisk(path: string): boolean {
    return [...this.files.texts.keys()].some(
      (each) => each === path || each.startsWith(`${path}/`) || path.startsWith(`${each}/`),
    );
  }
}

type Texts = ReadonlyMap<string, string>;

function changed(lines: readonly string[], dice: Dice): readonly string[] {
  const at = dice.below(lines.length);
  const line = dice.pick(['', 'a', 'one', 'two', `n${dice.below(50)}`]);
  const fewer = lines.length > 1 ? lines.toSpliced(at, 1) : [''];
  return dice.pick([lines.with(at, line), fewer, lines.toSpliced(at, 0, line, line), lines]);
}

function assertLimits(set: ChangeSet): void {
  const open = set.changes.filter(({ state }) => state === 'proposed' || state === 'stale');
  assert.ok(open.length <= changeLimits.files);
  const names = open.flatMap(({ from, to }) => (from === to ? [from] : [from, to])).filter((each) => each !== null);
  assert.equal(new Set(names).size, names.length, 'each name is of one change');
}

const steps = fc.nat(40);
const seed = fc.nat(2 ** 31 - 1);

export const changes: Group = {
  name: 'changes',
  testRuns: 4_000,
  properties: [
    {
      name: 'after all is undone, each byte is as before',
      share: 0.5,
      check: checkInTime(
        fc.asyncProperty(seed, steps, async (from, count) => {
          const play = new Play(from, false);
          for (let at = 0; at < count; at += 1) await play.step();
          while (play.accepts.length > 0) await play.undo();
          assert.deepEqual(play.now(), new Map(Object.entries(first)));
        }),
      ),
    },
    {
      name: 'what the user typed stays, whatever is accepted, undone, or fails',
      share: 0.5,
      check: checkInTime(
        fc.asyncProperty(seed, steps, async (from, count) => {
          const play = new Play(from, true);
          for (let at = 0; at < count; at += 1) await play.step();
          while (play.accepts.length > 0) await play.undo();
        }),
      ),
    },
  ],
};
