import type { Finding, LostFinding } from '../../../review/findings/finding.ts';
import { bySeverity } from '../../../review/findings/order.ts';
import { type PlacedFinding, placeFindings } from '../../../review/findings/placed.ts';
import type { Gap, LostInFile, NotReviewed, ReviewReport } from '../../../review/report.ts';
import { append } from '../../../util/append.ts';
import type { ServiceError } from '../../../util/errors.ts';
import { sha256Hex } from '../../../util/sha256.ts';
import type { Plan, PlannedPart, PlannedRequest, ReviewTarget, Smaller } from './plan.ts';

/** The result of a run, before the comparison. */
export type RunResult = Pick<
  ReviewReport,
  'frameworks' | 'model' | 'requests' | 'files' | 'findings' | 'uselessSuppressions' | 'notReviewed' | 'lost'
> & {
  /** The first error that prevented an answer; `aborted` if the user cancelled. */
  readonly error: ServiceError | null;
};

/** New results about some files of a run. */
export interface FoundSoFar extends Pick<ReviewReport, 'files' | 'findings'> {
  readonly progress: {
    /** The number of files with a result for all of their parts. */
    readonly files: number;
    readonly of: number;
    /** The number of findings that no comment in the code suppresses. */
    readonly findings: number;
  };
}

/** The results of a request about a part of a file. */
export interface Outcome {
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
  readonly lost: readonly LostFinding[];
}

/** All results about one file. */
interface Gathered {
  readonly file: ReviewReport['files'][number];
  readonly findings: readonly PlacedFinding[];
  readonly useless: ReviewReport['uselessSuppressions'];
  readonly gaps: readonly NotReviewed[];
  readonly lost: readonly LostInFile[];
}

/** The results from all answers of a run, by file. */
export class Results {
  readonly #plan: Plan;
  readonly #onFound: ((found: FoundSoFar) => void) | undefined;
  readonly #parts = new Map<ReviewTarget, Set<PlannedPart>>();
  readonly #outcomes = new Map<PlannedPart, Outcome>();
  /** Findings in answers that do not answer the request about their file. They are added to its next answer. */
  readonly #kept = new Map<PlannedPart, readonly Finding[]>();
  /** The reason why an answer or an error left a part without a result, for parts that are asked about again. */
  readonly #notes = new Map<PlannedPart, Gap>();
  readonly #gathered = new Map<ReviewTarget, Gathered>();
  readonly #changed = new Set<ReviewTarget>();
  readonly #gaps: NotReviewed[];

  constructor(plan: Plan, onFound: ((found: FoundSoFar) => void) | undefined) {
    this.#plan = plan;
    this.#onFound = onFound;
    this.#gaps = [...plan.gaps];
    for (const target of plan.targets) this.#parts.set(target, new Set());
    for (const part of plan.requests.flatMap(({ parts }) => parts)) this.#parts.get(part.target)?.add(part);
  }

  set(part: PlannedPart, outcome: Outcome): void {
    const kept = this.#kept.get(part) ?? [];
    const before = this.#outcomes.get(part);
    const now = kept.length === 0 ? outcome : { ...outcome, findings: [...kept, ...outcome.findings] };
    this.#outcomes.set(part, now);
    // A later look at the same answer may find nothing new.
    if (before === undefined || sizeOf(before) !== sizeOf(now)) this.#changed.add(part.target);
  }

  /** Records that an answer does not answer the request about a part, but has these findings about it. */
  unset(part: PlannedPart, findings: readonly Finding[]): void {
    if (findings.length > 0) this.#kept.set(part, [...(this.#kept.get(part) ?? []), ...findings]);
    if (this.#outcomes.delete(part)) this.#changed.add(part.target);
  }

  /** Records the reason why parts have no result, in case they are not asked about again. */
  note(parts: readonly PlannedPart[], why: Gap): void {
    for (const part of parts) this.#notes.set(part, why);
  }

  /** Replaces a request with other requests. */
  replace({ parts }: PlannedRequest, { requests, gaps }: Smaller): void {
    for (const part of parts) this.#parts.get(part.target)?.delete(part);
    for (const part of requests.flatMap((request) => request.parts)) this.#parts.get(part.target)?.add(part);
    append(this.#gaps, gaps);
  }

  /** Shows the files whose results have changed. */
  show(): void {
    if (this.#changed.size === 0 || this.#onFound === undefined) return;
    const changed = [...this.#changed].map((target) => {
      const gathered = this.#gather(target, { reason: 'run-stopped' });
      this.#gathered.set(target, gathered);
      return gathered;
    });
    this.#changed.clear();
    const isDone = (target: ReviewTarget): boolean =>
      [...(this.#parts.get(target) ?? [])].every((part) => this.#outcomes.has(part));
    this.#onFound({
      files: changed.map(({ file }) => file),
      findings: changed.flatMap(({ findings }) => findings),
      progress: {
        files: [...this.#gathered.keys()].filter(isDone).length,
        of: this.#plan.targets.length,
        findings: [...this.#gathered.values()].reduce((sum, { findings }) => sum + openOf(findings), 0),
      },
    });
  }

  /** Returns all results. `missing`: the reason why the remaining parts have no result. */
  all(missing: Gap): Omit<RunResult, 'frameworks' | 'model' | 'requests' | 'error'> {
    const gathered = this.#plan.targets.map((target) => this.#gather(target, missing));
    return {
      files: gathered.map(({ file }) => file),
      findings: bySeverity(gathered.flatMap(({ findings }) => findings)),
      uselessSuppressions: gathered.flatMap(({ useless }) => useless),
      notReviewed: [...this.#gaps, ...gathered.flatMap(({ gaps }) => gaps)],
      lost: gathered.flatMap(({ lost }) => lost),
    };
  }

  #gather(target: ReviewTarget, missing: Gap): Gathered {
    const parts = this.#partsOf(target).map((part): Gatherable => {
      const why = missing.reason === 'run-stopped' ? this.#notes.get(part) : undefined;
      return { ...part, outcome: this.#outcomes.get(part) ?? { findings: [], gaps: [why ?? missing], lost: [] } };
    });
    return gather(target, parts, this.#gaps);
  }

  #partsOf(target: ReviewTarget): readonly PlannedPart[] {
    return [...(this.#parts.get(target) ?? [])].sort((a, b) => a.part.firstLine - b.part.firstLine);
  }
}

function sizeOf({ findings, gaps, lost }: Outcome): number {
  return findings.length + gaps.length + lost.length;
}

function openOf(findings: Gathered['findings']): number {
  return findings.filter(({ suppression }) => suppression === null).length;
}

interface Gatherable extends PlannedPart {
  readonly outcome: Outcome;
}

/** Gathers the results about a file. `planned`: the parts that were left out before anything was sent. */
function gather(target: ReviewTarget, parts: readonly Gatherable[], planned: readonly NotReviewed[]): Gathered {
  const { name, uri, languageId } = target;
  const gaps = parts.flatMap(({ outcome, part, isWhole }): NotReviewed[] => {
    const lines = isWhole ? {} : { lines: [part.firstLine, part.lastLine] as const };
    const isPartial = outcome.findings.length > 0;
    return outcome.gaps.map((gap) => ({ ...gap, file: name, ...lines, isPartial }));
  });
  const findings = parts.flatMap(({ outcome }) => outcome.findings);
  const lost = parts.flatMap(({ outcome }) => outcome.lost).map((each) => ({ ...each, file: name, uri }));
  const placed = placeFindings({ name, uri, languageId, text: target.content.text }, findings, sha256Hex);
  const isComplete = gaps.length + lost.length === 0 && !planned.some(({ file }) => file === name);
  return {
    file: { name, uri, isComplete },
    findings: placed.findings,
    useless: placed.uselessSuppressions.map((useless) => ({ ...useless, file: name })),
    gaps,
    lost,
  };
}
