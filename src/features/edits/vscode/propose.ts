import * as vscode from 'vscode';
import { AnswerTime } from '../../../edits/answerTime.ts';
import { codesSoFar } from '../../../edits/reading/soFar.ts';
import { showingWaits, type WaitView } from '../../../platform/messages/waits.ts';
import { type Failure, withErrorReporting } from '../../../platform/messages/withErrorReporting.ts';
import type { ConfirmSend } from '../../../send/confirmation.ts';
import type { Dispatch } from '../../../send/dispatch.ts';
import { RequestLimit } from '../../../send/form/requestLimit.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import { attachmentsOf, type Outgoing } from '../../../send/outgoing.ts';
import { instructionsLead } from '../../../session/prompts/houseRules.ts';
import { isLong } from '../../../session/prompts/pieces.ts';
import { linesOf } from '../common/hunks.ts';
import { offerOthers } from './offerOthers.ts';
import { completeAnswer } from './placing/answer.ts';
import { askWhole, placedOrAsked, wholeAfter } from './placing/askWhole.ts';
import type { RestoreSecrets } from './placing/placed.ts';
import type { Proposal } from './proposal.ts';
import type { Proposals } from './proposals.ts';
import type { Target } from './target.ts';

const t = vscode.l10n.t;

/** The minimum time in milliseconds between two messages about the progress of an answer. */
const tellEvery = 1_000;

export interface ProposeParts {
  readonly dispatch: Dispatch;
  readonly proposals: Proposals;
  readonly confirmSend: ConfirmSend;
  readonly instructions: {
    /** The instructions for code in a file; null for a new document. */
    near(uri: vscode.Uri | null): Promise<readonly Attachment[]>;
  };
}

interface Ask {
  readonly target: Target;
  /** The request without the instructions of the organization and the project, which are added here. */
  readonly outgoing: Outgoing;
  /** Whether every place gets the same code, as for an insertion at several cursors. */
  readonly isSameEverywhere?: boolean;
}

type Written = { readonly ok: true; readonly code: string };

export type Proposed = Written | Failure;

/**
 * Sends a request for code and streams the answer into a proposal. Resolves when the proposal is complete; the user
 * then accepts or rejects it. The caller has checked that the document can be changed. Cancellation or a failed answer
 * ends the proposal and changes nothing.
 */
export function propose(parts: ProposeParts, ask: Ask): Promise<Proposed> {
  return withErrorReporting(t('Svc is writing code…'), '', (signal, report, waits) =>
    stream(parts, ask, { signal, waits, say: (words) => report(words, 0) }),
  );
}

interface Shown {
  readonly signal: AbortSignal;
  readonly waits: WaitView;
  /** Tells the user what happens now. */
  readonly say: (words: string) => void;
}

async function stream(
  { dispatch, proposals, confirmSend, instructions }: ProposeParts,
  { target, outgoing: asked, isSameEverywhere = false }: Ask,
  { signal, waits, say }: Shown,
): Promise<Written> {
  const stop = new AbortController();
  const uri = target.kind === 'document' ? target.document.uri : target.kind === 'file' ? target.uri : null;
  const led = withLead(asked, await instructions.near(uri));
  // The limit covers every request that the answer may need: one in another form, and one for the whole code.
  const outgoing = { ...led, limit: new RequestLimit() };
  const places = target.kind === 'document' ? target.places.length : 1;
  const count = isSameEverywhere ? 1 : places;
  const forPlaces = (codes: readonly string[]): readonly string[] =>
    isSameEverywhere ? Array.from<string>({ length: places }).fill(codes[0] ?? '') : codes;
  const all = AbortSignal.any([signal, stop.signal]);
  // Sent before the diff opens, so that a blocked request shows no empty proposal.
  const waiting = showingWaits(dispatch, waits);
  const sent = await waiting.send(outgoing, confirmSend, all);
  const telling = new Telling(target, say);
  let soFar = '';
  let shown: Proposal | undefined;
  const grow = (answer: string): void => {
    soFar = answer;
    telling.grow(answer);
    if (shown !== undefined) proposals.update(shown, () => forPlaces(codesSoFar(answer, count)));
  };
  const asking = { dispatch: waiting, confirmSend, outgoing, signal: all, grow, say };
  // The answer arrives while VS Code opens the diff.
  const answered = completeAnswer(sent, asking);
  answered.catch(() => undefined);
  try {
    const proposal = await proposals.begin(target, () => stop.abort());
    shown = proposal;
    proposal.context = contextOf(outgoing, uri);
    if (soFar !== '') grow(soFar);
    const first = await answered;
    const restoreSecrets: RestoreSecrets = (...of) => proposals.withSecrets(...of);
    const { lines, read, source } = await placedOrAsked({ target, restoreSecrets }, first, (why) =>
      askWhole(why, { ...asking, outgoing: wholeAfter(outgoing, sent, first.read.text, target, why) }),
    );
    await proposals.complete(proposal, lines, source);
    offerOthers({ proposals }, { read, source }, target);
    return { ok: true, code: codesSoFar(read.text, count).join('') };
  } catch (error) {
    stop.abort();
    // An incomplete proposal cannot be accepted, so it ends.
    if (shown !== undefined) await proposals.end(shown);
    throw error;
  }
}

/** Tells the user how long the answer takes, if it takes long. */
class Telling {
  readonly #target: Target;
  readonly #say: (words: string) => void;
  #time: AnswerTime;
  #lastReport = Number.NEGATIVE_INFINITY;

  constructor(target: Target, say: (words: string) => void) {
    this.#target = target;
    this.#say = say;
    this.#time = new AnswerTime(performance.now(), expectedOf(target));
  }

  grow(answer: string): void {
    const now = performance.now();
    // An empty answer means that the whole code was requested again.
    if (answer === '') this.#time = new AnswerTime(now, charactersOf(this.#target));
    const progress = this.#time.at(answer.length, now);
    if (progress === null || now - this.#lastReport < tellEvery) return;
    this.#lastReport = now;
    this.#say(
      progress === 'arriving'
        ? t('{0} lines so far…', linesOf(answer).length)
        : t('About {0} s left…', progress.secondsLeft),
    );
  }
}

/**
 * The expected number of characters of an answer that changes code, or null for new code, or if only the changes were
 * requested.
 */
function expectedOf(target: Target): number | null {
  if (target.kind !== 'document' || target.mode !== 'edit') return null;
  return target.places.some(({ start, end }) => isLong(end - start)) ? null : charactersOf(target);
}

function charactersOf(target: Target): number | null {
  if (target.kind !== 'document') return null;
  const lines = linesOf(target.text);
  return target.places.reduce((sum, { start, end }) => sum + lines.slice(start, end).join('\n').length, 0);
}

/** Adds the instructions before everything else. */
function withLead(outgoing: Outgoing, instructions: readonly Attachment[]): Outgoing {
  const lead = instructionsLead(instructions);
  const [first, ...others] = outgoing.messages;
  return first === undefined || lead.length === 0
    ? outgoing
    : { ...outgoing, messages: [{ ...first, lead }, ...others] };
}

/** The labels of the files that are sent besides the target, each file once. */
function contextOf(outgoing: Outgoing, target: vscode.Uri | null): readonly string[] {
  const others = attachmentsOf(outgoing).filter(({ uri }) => uri !== target?.toString());
  return [...new Map(others.map(({ uri, label }) => [uri, label])).values()];
}
