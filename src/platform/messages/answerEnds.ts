import * as vscode from 'vscode';
import type { Turn } from '../../session/conversation/turn.ts';
import { ServiceError } from '../../util/errors.ts';
import { callsMissing, isUnsaid, streamEnd, whyCut } from '../../util/whyCut.ts';
import { showWarning } from './show.ts';

const t = vscode.l10n.t;

const stateKey = 'svc.usedAnswerEnds';
/** The maximum number of remembered decisions. The oldest ones are forgotten. */
const maxRemembered = 100;
const maxReason = 64;

/** An answer that may be incomplete, because the service gave no reason for its end, or an unknown one. */
export interface DoubtfulAnswer {
  /** The finish reason: see ChatEvent. */
  readonly reason: string;
  readonly origin: string;
  readonly model: string;
  /** Whether every code block in the text is closed, so that the answer may be complete. */
  readonly isClosed: boolean;
}

/** The last answer that was not used because the user could not be asked. */
let unusedAnswer: DoubtfulAnswer | undefined;
let state: Pick<vscode.Memento, 'get' | 'update'> | undefined;

/** Sets the storage for the user's decisions, which contain an origin, a model and a reason, but no content. */
export function keepAnswerEnds(next: Pick<vscode.Memento, 'get' | 'update'>): void {
  state = next;
}

/** Returns the reason why an answer may be incomplete, or null if it is complete, or was cut off for a known reason. */
export function doubtIn(finishReason: string | undefined): string | null {
  if (finishReason === undefined) return null;
  return isUnsaid(finishReason) || whyCut(finishReason) === 'other' ? finishReason.slice(0, maxReason) : null;
}

/** Returns the reason why the answer of an ended turn may be incomplete, or null if it is complete, or was cut off. */
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

/**
 * Asks the user whether to use an answer; they can also agree to all answers that end in the same way. With `isDropped`, the
 * answer no longer exists, and they can agree only to later answers.
 */
export async function mayUseAnswer(answer: DoubtfulAnswer, isDropped = false): Promise<boolean> {
  if (answer.isClosed && isUsedAlways(answer)) return true;
  const { reason, origin, model, isClosed } = answer;
  const [once, always] = [t('Use It'), t('Always Use Them')];
  const detail = [
    t('A part of it may be missing. Read it before you use it.'),
    ...(isClosed ? [t('Always Use Them applies to answers of {0} at {1} that end like this.', model, origin)] : []),
  ].join(' ');
  const offered = [...(isDropped ? [] : [once]), ...(isClosed ? [always] : [])];
  const choice = await showWarning(endWords(reason), { modal: true, detail }, ...offered);
  if (choice === always) await remember(keyOf(origin, model, reason));
  return choice === once || choice === always;
}

/** Forgets the decisions about a model, so that the user is asked about its answers again. */
export async function forgetAnswerEnds(origin?: string, model?: string): Promise<void> {
  const before = remembered();
  const kept = origin === undefined ? [] : before.filter((key) => !key.startsWith(keyOf(origin, model ?? '', '')));
  if (kept.length < before.length) await state?.update(stateKey, kept);
}

/** Describes for the user how an answer ended. */
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
  unusedAnswer = { reason, origin, model, isClosed: true };
  throw new ServiceError('protocol', 'The answer may be incomplete.', { code: 'doubtful-end', reason, origin });
}

/** Asks the user whether to use later answers that end like the last unused answer. */
export async function mayUseLaterAnswers(): Promise<boolean> {
  return unusedAnswer === undefined || mayUseAnswer(unusedAnswer, true);
}

function keyOf(origin: string, model: string, reason: string): string {
  return `${origin} ${model}\n${reason}`;
}

function remembered(): readonly string[] {
  const kept = state?.get<unknown>(stateKey);
  return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : [];
}

async function remember(key: string): Promise<void> {
  const otherKeys = remembered().filter((each) => each !== key);
  await state?.update(stateKey, [...otherKeys, key].slice(-maxRemembered));
}
