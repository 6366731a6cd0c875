import * as vscode from 'vscode';
import type { Turn } from '../../session/conversation/turn.ts';
import { ServiceError } from '../../util/errors.ts';
import { callsMissing, isUnsaid, streamEnd, whyCut } from '../../util/whyCut.ts';
import { showWarning } from './show.ts';

const t = vscode.l10n.t;

const stateKey = 'svc.usedAnswerEnds';
/** The oldest are forgotten. */
const mostRemembered = 100;
const maxReason = 64;

/** An answer whose end leaves it open whether it is complete. */
export interface DoubtfulAnswer {
  /** The finish reason: see ChatEvent. */
  readonly reason: string;
  readonly origin: string;
  readonly model: string;
  /** Every code block in its text is closed, so it may be complete. */
  readonly isClosed: boolean;
}

/** The last answer that was not used because the user could not be asked. */
let unused: DoubtfulAnswer | undefined;
let state: Pick<vscode.Memento, 'get' | 'update'> | undefined;

/** Where the user's decisions are kept: an origin, a model and a reason, and no content. */
export function keepAnswerEnds(next: Pick<vscode.Memento, 'get' | 'update'>): void {
  state = next;
}

/** The reason that leaves it open whether an answer is complete; null if it is, or was cut in a known way. */
export function doubtIn(finishReason: string | undefined): string | null {
  if (finishReason === undefined) return null;
  return isUnsaid(finishReason) || whyCut(finishReason) === 'other' ? finishReason.slice(0, maxReason) : null;
}

/** The reason that leaves it open whether the answer of an ended turn is complete; null if it is, or was cut. */
export function doubtInTurn({ answer, state }: Turn): string | null {
  if (state.status === 'complete') return doubtIn(answer.finishReason);
  const error = state.status === 'interrupted' ? state.error : undefined;
  const isClean = error?.kind === 'interrupted' && error.details.isClean === true;
  return isClean ? streamEnd : null;
}

/** Whether the user has agreed to use all answers of this model that end like this one. */
export function isUsedAlways({ reason, origin, model }: Omit<DoubtfulAnswer, 'isClosed'>): boolean {
  return remembered().includes(keyOf(origin, model, reason));
}

/** Asks the user whether an answer is used; they can agree to all that end like it. `isGone`: only to all later ones. */
export async function mayUseAnswer(answer: DoubtfulAnswer, isGone = false): Promise<boolean> {
  if (answer.isClosed && isUsedAlways(answer)) return true;
  const { reason, origin, model, isClosed } = answer;
  const [once, always] = [t('Use It'), t('Always Use Them')];
  const detail = [
    t('A part of it may be missing. Read it before you use it.'),
    ...(isClosed ? [t('Always Use Them applies to answers of {0} at {1} that end like this.', model, origin)] : []),
  ].join(' ');
  const offered = [...(isGone ? [] : [once]), ...(isClosed ? [always] : [])];
  const said = await showWarning(endWords(reason), { modal: true, detail }, ...offered);
  if (said === always) await remember(keyOf(origin, model, reason));
  return said === once || said === always;
}

/** The user asks the same again: from now on, they are asked about answers of this model. */
export async function forgetAnswerEnds(origin?: string, model?: string): Promise<void> {
  const before = remembered();
  const kept = origin === undefined ? [] : before.filter((key) => !key.startsWith(keyOf(origin, model ?? '', '')));
  if (kept.length < before.length) await state?.update(stateKey, kept);
}

/** How an answer ended, for the user. */
export function endWords(reason: string): string {
  if (isUnsaid(reason)) return t('The service did not report whether the answer is complete');
  if (reason === streamEnd) return t('The answer ended before the service reported that it is complete');
  if (reason === callsMissing) return t('The answer announces a tool call, but contains none');
  return t('The answer ended for another reason: {0}', reason);
}

/** Throws a ServiceError if an inline suggestion may be incomplete: the user is not asked while they type. */
export function requireKnownEnd(
  finishReason: string,
  { origin, model }: Pick<DoubtfulAnswer, 'origin' | 'model'>,
): void {
  const reason = doubtIn(finishReason);
  if (reason === null || isUsedAlways({ reason, origin, model })) return;
  unused = { reason, origin, model, isClosed: true };
  throw new ServiceError('protocol', 'The answer may be incomplete.', { code: 'doubtful-end', reason, origin });
}

/** Asks the user whether answers that end like the last one that was not used are used from now on. */
export async function mayUseLaterAnswers(): Promise<boolean> {
  return unused === undefined || mayUseAnswer(unused, true);
}

function keyOf(origin: string, model: string, reason: string): string {
  return `${origin} ${model}\n${reason}`;
}

function remembered(): readonly string[] {
  const kept = state?.get<unknown>(stateKey);
  return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : [];
}

async function remember(key: string): Promise<void> {
  const others = remembered().filter((each) => each !== key);
  await state?.update(stateKey, [...others, key].slice(-mostRemembered));
}
