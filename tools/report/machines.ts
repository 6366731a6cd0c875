import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../../src/evidence/policy.ts';
import type { SeenCheckpoint } from '../../src/evidence/verify/seen.ts';
import { type Verdict, verifyEvidence } from '../../src/evidence/verify/verify.ts';
import { type Figures, FigureTaker, sumOf } from './figures.ts';
import { type State, stateOf } from './states.ts';

export interface ReportOptions {
  /** A folder with one folder for each machine. */
  readonly collected: string;
  readonly policy: Policy | null;
  /** The states of the logs that earlier reports saw. */
  readonly seen: readonly SeenCheckpoint[];
  readonly silentDays: number;
  /** The grace period of verifyEvidence() in milliseconds. */
  readonly grace: number;
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
}

/** One machine, or those that have a ledger in common. */
export interface Machine {
  readonly names: readonly string[];
  readonly state: State;
  readonly verdict: Verdict;
  /** The reason why no part of it could be read; null if it was. */
  readonly fault: string | null;
}

export interface Report {
  readonly time: string;
  readonly machines: readonly Machine[];
  /** The enrolled logs of which no line has arrived. */
  readonly unheard: readonly string[];
  /** Keys that are not trusted yet, as lines for the file of trusted keys. */
  readonly newKeys: readonly string[];
  /** The figures of the machines whose lines an enrolled key signed. */
  readonly figures: Figures;
  readonly records: number;
}

/** The states in which the records are those that an enrolled key signed. */
const counted: readonly State[] = ['intact', 'late', 'silent'];

/** Verifies all machines, one after the other. Throws the errors of listing them. */
export async function makeReport(options: ReportOptions): Promise<Report> {
  const { collected, policy, now } = options;
  const names: string[] = [];
  for (const name of (await readdir(collected)).sort())
    if ((await lstat(join(collected, name))).isDirectory()) names.push(name);
  const found: Counted[] = [];
  for (const name of names) found.push(await verifyMachines([name], options));
  const machines: Counted[] = [];
  // If a machine was copied with its key, its two histories are found only if they are verified together.
  for (const group of sharing(found)) {
    const [only] = group;
    const all = group.flatMap((machine) => machine.names);
    machines.push(group.length === 1 && only !== undefined ? only : await verifyMachines(all, options));
  }
  const ledgers = machines.flatMap(({ verdict }) => verdict.ledgers);
  const heard = new Set(ledgers.map(({ origin }) => origin));
  const newKeys = ledgers.flatMap(({ vkey, origin }) =>
    vkey === null || policy?.logs.has(origin) ? [] : [`log ${vkey}`],
  );
  const whole = machines.filter(({ state }) => counted.includes(state));
  return {
    time: new Date(now).toISOString(),
    machines: machines.map(({ figures: _, ...machine }) => machine),
    unheard: [...(policy?.logs.keys() ?? [])].filter((origin) => !heard.has(origin)),
    newKeys,
    figures: sumOf(whole.map(({ figures }) => figures)),
    records: whole.reduce((sum, { verdict }) => sum + verdict.signed, 0),
  };
}

type Counted = Machine & { readonly figures: Figures };

async function verifyMachines(names: readonly string[], options: ReportOptions): Promise<Counted> {
  const { collected, policy, seen, grace, now } = options;
  const taker = new FigureTaker();
  const paths = names.map((name) => join(collected, name));
  try {
    const found = await verifyEvidence({ paths, policy, seen, grace, now, isCollected: true, taker });
    // Nearly all of the states that were seen belong to other machines.
    const verdict = { ...found, notes: found.notes.filter(({ reason }) => reason !== 'not-compared') };
    return { names, state: stateOf(verdict, options), verdict, fault: null, figures: taker.figures() };
  } catch (error) {
    // One disk error must not hide what is found on all other machines.
    if (!(error instanceof Error && 'code' in error)) throw error;
    const verdict = await verifyEvidence({ paths: [], isCollected: true });
    return {
      names,
      state: 'unreadable',
      verdict,
      fault: error.message,
      figures: new FigureTaker().figures(),
    };
  }
}

/**
 * Groups the machines that have signed lines of the same ledger. Lines without a signature are ignored, because anyone could have
 * added them.
 */
function sharing<M extends Machine>(machines: readonly M[]): readonly (readonly M[])[] {
  const groups: M[][] = [];
  for (const machine of machines) {
    const origins = new Set(signedOf(machine));
    const has = (group: readonly M[]) => group.some((other) => signedOf(other).some((origin) => origins.has(origin)));
    const shared = groups.filter(has);
    const merged = [...shared.flat(), machine];
    for (const group of shared) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups;
}

function signedOf({ verdict }: Machine): readonly string[] {
  return verdict.ledgers.flatMap(({ origin, size }) => (size > 0 ? [origin] : []));
}
