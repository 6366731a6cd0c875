import * as vscode from 'vscode';
import { askWords } from '../../../platform/commands/askWords.ts';
import { answerLanguage } from '../../../platform/messages/answerLanguage.ts';
import { showingWaits } from '../../../platform/messages/waits.ts';
import {
  type Failure,
  failureOf,
  notAsked,
  showFailure,
  withProgress,
} from '../../../platform/messages/withErrorReporting.ts';
import { requireTrustToSend } from '../../../platform/settings/trust.ts';
import { whyFileExcluded } from '../../../platform/sources/ignored/exclusions.ts';
import type { Framework } from '../../../policy/compliance/compliance.ts';
import { compareReviews } from '../../../review/findings/compare.ts';
import type { PlacedFinding } from '../../../review/findings/placed.ts';
import { withEarlierFingerprints } from '../../../review/findings/sameFinding.ts';
import { reviewInstructions } from '../../../review/prompt.ts';
import type { NotReviewed, ReviewReport } from '../../../review/report.ts';
import { placesOf } from '../../../send/message/attachment.ts';
import { Disposable } from '../../../util/disposable.ts';
import { isServiceError, ServiceError } from '../../../util/errors.ts';
import { orAborted } from '../../../util/orAborted.ts';
import { askForRun } from './askForRun.ts';
import { type Changed, changedFiles, readChanged } from './changes.ts';
import { chooseFiles, chooseFrameworks, confirmEstimate, filesQuestion, parallelRequests } from './choose.ts';
import { FindingAtCursor } from './findingAtCursor.ts';
import { FindingDiagnostics } from './findingDiagnostics.ts';
import type { ReviewParts } from './parts.ts';
import { estimate, isOneFile, type Plan, planReview, type ReviewTarget } from './plan.ts';
import { type FindingRef, QuickFixes } from './quickFixes.ts';
import { ReportPage, type ReviewExport } from './reportPage.ts';
import { type Reviewed, reviewed } from './result.ts';
import { ResultItem, type ResultWords } from './resultItem.ts';
import type { FoundSoFar, RunResult } from './results.ts';
import { type Room, roomFor } from './room.ts';
import { runReview } from './run.ts';
import { nameOf, readTargets, targetOf } from './targets.ts';
import { reportingProgress, resultWords } from './words.ts';

const t = vscode.l10n.t;

/** The number of requests from which the user sees an estimate before anything is sent. */
const confirmFrom = 10;

interface ReviewOptions {
  /** Replaces the frameworks in force. */
  readonly frameworks?: readonly string[] | undefined;
  /** A glob pattern; without it, the user is asked which files to review. */
  readonly include?: string | undefined;
  /** Whether the caller has shown the estimate, and the user has confirmed it. */
  readonly confirmed?: boolean | undefined;
}

interface Chosen {
  readonly kind: ReviewReport['kind'];
  readonly targets: readonly ReviewTarget[];
  readonly excluded: number;
  readonly gaps: readonly NotReviewed[];
}

/** The parameters of a whole run. */
interface RunAbout {
  readonly frameworks: readonly Framework[];
  readonly folders: readonly string[];
  readonly room: Room | undefined;
  readonly parallel: number;
}

/** Reviews of files, changes and the workspace. Findings are kept only in memory. */
export class ComplianceReview extends Disposable {
  readonly #parts: ReviewParts;
  readonly #diagnostics = this._register(new FindingDiagnostics());
  readonly #page: ReportPage;
  readonly #item = this._register(new ResultItem());
  readonly #fixes: QuickFixes;
  /** The latest findings of each file that was reviewed in this window, by URI. */
  readonly #known = new Map<string, readonly PlacedFinding[]>();

  constructor(parts: ReviewParts) {
    super();
    this.#parts = parts;
    this.#page = this._register(new ReportPage(parts));
    this._register(new FindingAtCursor(this.#diagnostics));
    this.#fixes = new QuickFixes(this.#diagnostics, parts);
    const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    this._register(vscode.languages.registerCodeActionsProvider({ scheme: '*' }, this.#fixes, kinds));
  }

  async reviewFile(options: ReviewOptions = {}): Promise<Reviewed | Failure> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) {
      this.#parts.outcomes.info(t('Open a file to review it.'));
      return notAsked();
    }
    return this.#review(options, async () => {
      const target = await targetOf(document);
      if (target === null) throw await mayNotLeave(document.uri);
      return { kind: 'file', targets: [target], excluded: 0, gaps: [] };
    });
  }

  reviewChanges(options: ReviewOptions = {}): Promise<Reviewed | Failure> {
    return reporting(
      () => this.reviewChanges(options),
      async () => {
        // Git is off in Restricted Mode, so it would seem that there are no changes.
        await requireTrustToSend(this.#parts.refusals, 'review');
        return this.#reviewChanged(options, await changedFiles());
      },
    );
  }

  async #reviewChanged(options: ReviewOptions, changed: Changed | null): Promise<Reviewed | Failure> {
    if (changed === null || changed.files.length + changed.gaps.length === 0) {
      this.#parts.outcomes.info(
        changed === null
          ? t('Git is not available, so there are no changes to review.')
          : t('There are no changes to review.'),
      );
      return notAsked();
    }
    return this.#review(options, async (signal) => ({ kind: 'changes', ...(await readChanged(changed, signal)) }));
  }

  async reviewWorkspace(options: ReviewOptions = {}): Promise<Reviewed | Failure> {
    if (vscode.workspace.workspaceFolders === undefined) {
      this.#parts.outcomes.info(t('Open a folder to review its files.'));
      return notAsked();
    }
    if (options.include !== undefined) return this.#reviewFiles(options.include, options);
    const again = (): Promise<Reviewed | Failure> => this.reviewWorkspace(options);
    return reporting(again, async () => {
      await this.#parts.refusals.watch('review', () => this.#check());
      return askWords('review', filesQuestion(), (include) => this.#reviewFiles(include, options));
    });
  }

  async #reviewFiles(include: string, options: ReviewOptions): Promise<Reviewed | Failure> {
    if (include.trim() === '') return notAsked();
    const files = await chooseFiles(include);
    if (files.uris.length === 0) {
      this.#parts.outcomes.info(t('No file in the workspace matches.'));
      return notAsked();
    }
    return this.#review(options, async (signal) => {
      const { targets, gaps, excluded } = await readTargets(files.uris, signal);
      const beyond = files.beyond.map(
        (uri): NotReviewed => ({ file: nameOf(uri), reason: 'beyond-limit', isPartial: false }),
      );
      return { kind: 'workspace', targets, excluded, gaps: [...gaps, ...beyond] };
    });
  }

  showReview(): Promise<{ readonly ok: boolean }> {
    return this.#page.show();
  }

  exportReview(options?: ReviewExport): Promise<{ readonly ok: boolean }> {
    return this.#page.export(options);
  }

  /** Removes all findings and the report. */
  clearReview(): { readonly ok: true } {
    const { count } = this.#diagnostics;
    this.#parts.outcomes.review(
      true,
      count === 0 ? t('There are no compliance findings to clear.') : t('Compliance findings cleared: {0}.', count),
    );
    this.#diagnostics.clear();
    this.#known.clear();
    this.#page.set(null, []);
    this.#item.clear();
    return { ok: true };
  }

  fixFinding(ref?: FindingRef): Promise<{ readonly ok: boolean }> {
    return this.#fixes.fix(ref);
  }

  explainFinding(ref?: FindingRef): Promise<{ readonly ok: boolean }> {
    return this.#fixes.explain(ref);
  }

  suppressFinding(ref?: FindingRef & { readonly reason?: string | undefined }): Promise<{ readonly ok: boolean }> {
    return this.#fixes.suppress(ref);
  }

  /** Refuses a review that could not be sent before the user is asked anything. */
  async #check(): Promise<void> {
    const { contextReader, dispatch } = this.#parts;
    contextReader.requireFeature('review');
    await dispatch.check({ action: 'review', messages: [], modelKey: 'svc.model.review', folders: [] });
  }

  #review(options: ReviewOptions, choose: (signal: AbortSignal) => Promise<Chosen>): Promise<Reviewed | Failure> {
    const again = (): Promise<Reviewed | Failure> => this.#review(options, choose);
    return reporting(again, () => this.#parts.refusals.watch('review', () => this.#reviewNow(options, choose, again)));
  }

  async #reviewNow(
    options: ReviewOptions,
    choose: (signal: AbortSignal) => Promise<Chosen>,
    again: () => unknown,
  ): Promise<Reviewed | Failure> {
    await this.#check();
    const chosen = await this.#parts.refusals.watchPreparing('review', () =>
      withProgress(t('Svc is reading the files…'), (signal) => orAborted(choose(signal), signal)),
    );
    const folders = placesOf(chosen.targets.flatMap(({ content }) => content.covers));
    const frameworks = await chooseFrameworks(this.#parts, folders, options.frameworks);
    if (frameworks === null) return notAsked();
    const about = { frameworks, folders, room: this.#roomFor(folders, frameworks), parallel: parallelRequests() };
    const { room, parallel } = about;
    const plan = planReview(chosen.targets, chosen.gaps, { room: room?.declared, parallel });
    if (!(await this.#mayRun(plan, chosen, about, options))) return notAsked();
    return this.#run(plan, chosen, about, again);
  }

  #roomFor(folders: readonly string[], frameworks: readonly Framework[]): Room | undefined {
    const { options } = this.#parts.contextReader.requestContext({ modelKey: 'svc.model.review', folders });
    return options.ok ? roomFor(options.options, reviewInstructions(frameworks, answerLanguage())) : undefined;
  }

  async #mayRun(
    plan: Plan,
    chosen: Chosen,
    { frameworks, folders, parallel }: RunAbout,
    options: ReviewOptions,
  ): Promise<boolean> {
    if (options.confirmed === true) return true;
    const files = new Set(plan.requests.flatMap(({ parts }) => parts.map(({ target }) => target))).size;
    const isCounted = chosen.kind === 'workspace' || Math.max(files, plan.requests.length) >= confirmFrom;
    if (!isCounted) return true;
    const { options: asked } = this.#parts.contextReader.requestContext({ modelKey: 'svc.model.review', folders });
    const model = asked.ok ? asked.options.model : t('no model is set');
    return confirmEstimate(estimate(plan, frameworks, answerLanguage()), {
      model,
      frameworks,
      excluded: chosen.excluded,
      parallel,
    });
  }

  async #run(plan: Plan, chosen: Chosen, about: RunAbout, again: () => unknown): Promise<Reviewed | Failure> {
    const { frameworks, folders } = about;
    const startedAt = Date.now();
    const shown = new Set<string>();
    const running = this.#item.begin();
    const onProgress = (words: string): void => running.show(words);
    const onFound = ({ files, findings }: FoundSoFar): void => {
      this.#diagnostics.show({ files, findings: this.#asKnown(files, findings), frameworks }, shown);
    };
    let words: ResultWords | undefined;
    try {
      const { error, ...rest } = await this.#send(plan, about, { onProgress, onFound });
      const { kind, excluded } = chosen;
      const report = this.#keep({ ...rest, kind, startedAt, endedAt: Date.now(), excluded, comparison: null });
      words = resultWords(report);
      this.#diagnostics.show(report, shown);
      this.#page.set(report, folders);
      // If no request succeeded, the error is shown with its actions.
      if (error !== null && rest.requests === 0 && rest.findings.length === 0) {
        void showFailure(error, '', again);
        return failureOf(error);
      }
      this.#announce(report);
      return reviewed(report);
    } finally {
      running.end(words);
    }
  }

  /** Sends what is planned, while the user can stop it. */
  async #send(
    plan: Plan,
    { frameworks, folders, room, parallel }: RunAbout,
    { onProgress, onFound }: { onProgress: (words: string) => void; onFound: (found: FoundSoFar) => void },
  ): Promise<RunResult> {
    const { dispatch, confirmSend, contextReader } = this.#parts;
    const { managed } = contextReader.requestContext({ modelKey: 'svc.model.review', folders });
    const isEachShown = managed.state === 'in-force' && managed.policy.requirePreview;
    return withProgress(t('Svc is reviewing…'), (signal, report, waits) => {
      const say = (words: string, increment: number): void => {
        report(words, increment);
        onProgress(words);
      };
      return runReview(plan, {
        dispatch: showingWaits(dispatch, waits),
        ask: isOneFile(plan) ? confirmSend : askForRun(confirmSend, isEachShown),
        frameworks,
        language: answerLanguage(),
        signal,
        parallel,
        ...(room === undefined ? {} : { room: room.declared, roomIn: room.of }),
        onFound: reportingProgress(plan, say, onFound),
      });
    });
  }

  /** Returns the findings with the fingerprints that they had in earlier reviews. */
  #asKnown(files: ReviewReport['files'], findings: readonly PlacedFinding[]): readonly PlacedFinding[] {
    return withEarlierFingerprints(
      findings,
      files.flatMap(({ uri }) => this.#known.get(uri) ?? []),
    );
  }

  /** Compares with the known findings of the same files, and stores the new ones. */
  #keep(reviewed: ReviewReport): ReviewReport {
    const isKnown = reviewed.files.some(({ uri }) => this.#known.has(uri));
    const before = reviewed.files.flatMap(({ uri }) => this.#known.get(uri) ?? []);
    const report = { ...reviewed, findings: this.#asKnown(reviewed.files, reviewed.findings) };
    const comparison = isKnown ? compareReviews({ findings: before }, report) : null;
    const kept = new Set((comparison?.unknown ?? []).map(({ fingerprint }) => fingerprint));
    for (const { uri, isComplete } of report.files) {
      const found = report.findings.filter((finding) => finding.uri === uri);
      const known = this.#known.get(uri);
      // If no part of the file was read, there is nothing for the next review to compare with.
      if (known === undefined && !isComplete && found.length === 0) continue;
      this.#known.set(uri, [...found, ...(known ?? []).filter(({ fingerprint }) => kept.has(fingerprint))]);
    }
    return { ...report, comparison };
  }

  /** Announces the result once; the status bar item stays. */
  #announce(report: ReviewReport): void {
    const { sentence, isComplete } = resultWords(report);
    this.#parts.outcomes.review(isComplete, sentence, 'showReview', 'showProblems');
  }
}

/** Shows an error, with `again` for Retry. */
async function reporting<T>(again: () => unknown, work: () => Promise<T | Failure>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '', again);
    return failureOf(error);
  }
}

export function createReview(parts: ReviewParts): ComplianceReview {
  return new ComplianceReview(parts);
}

async function mayNotLeave(uri: vscode.Uri): Promise<ServiceError> {
  const reason = (await whyFileExcluded(uri.toString())) ?? '';
  return new ServiceError('gate', 'A file may not be sent.', { code: 'excluded', file: nameOf(uri), reason });
}
