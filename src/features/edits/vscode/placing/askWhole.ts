import * as vscode from 'vscode';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import type { ConfirmSend } from '../../../../send/confirmation.ts';
import type { Dispatched } from '../../../../send/dispatch.ts';
import type { Outgoing } from '../../../../send/outgoing.ts';
import { asWritten, type WholeAsked, wholePrompt } from '../../../../session/prompts/wholePrompt.ts';
import { isServiceError } from '../../../../util/errors.ts';
import type { Target } from '../target.ts';
import { type Asking, type CompleteAnswer, completeAnswer, withFollowUp } from './answer.ts';
import { Misplaced, placedLines, type RestoreSecrets } from './placed.ts';

const t = vscode.l10n.t;

interface Placing {
  readonly target: Target;
  readonly restoreSecrets: RestoreSecrets;
}

interface PlacedWhole extends CompleteAnswer {
  /** The whole text of the target with the code in its place. */
  readonly lines: readonly string[];
}

/**
 * Places an answer. If its code does not have exactly one place, `again` requests it again; throws like placedLines() if it still
 * cannot be placed.
 */
export async function placedOrAsked(
  { target, restoreSecrets }: Placing,
  first: CompleteAnswer,
  again: (why: Misplaced) => Promise<CompleteAnswer>,
): Promise<PlacedWhole> {
  try {
    return { ...first, lines: await placedLines(target, first.read, restoreSecrets) };
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    const second = await again(error);
    return { ...second, lines: await placedLines(forWhole(target), second.read, restoreSecrets) };
  }
}

/** The target of an answer with the whole text. */
function forWhole(target: Target): Target {
  return target.kind === 'document' && target.mode === 'apply' ? { ...target, mode: 'edit' } : target;
}

interface AskingWhole extends Asking {
  /** Tells the user what happens now. */
  readonly say: (words: string) => void;
}

/**
 * Sends the further request for the whole code. If the user has to confirm the request, they are asked first whether to
 * make it at all. Throws `why` if they decline, if the request may not be sent, or if the limit of further requests is
 * reached.
 */
export async function askWhole(why: Misplaced, asking: AskingWhole): Promise<CompleteAnswer> {
  if (asking.outgoing.limit?.take() === false) throw why;
  let wish: Promise<boolean> | undefined;
  let isDeclined = false;
  const confirmSend: ConfirmSend = async (request, signal) => {
    wish ??= wantsWhole();
    if (await wish) return asking.confirmSend(request, signal);
    isDeclined = true;
    return 'cancel';
  };
  asking.say(t('Asking for the whole code…'));
  // The diff does not show code that could not be placed.
  asking.grow('');
  try {
    const sent = await asking.dispatch.send(asking.outgoing, confirmSend, asking.signal);
    return await completeAnswer(sent, asking);
  } catch (error) {
    throw isDeclined || isForbidden(error) ? why : error;
  }
}

/**
 * Whether a request is not allowed. The user asked for code, not for this request, so this error does not help them.
 */
function isForbidden(error: unknown): boolean {
  return isServiceError(error) && (error.kind === 'gate' || error.kind === 'policy');
}

async function wantsWhole(): Promise<boolean> {
  const ask = t('Ask for the Whole Code');
  const detail = t('A further request asks for the whole code. You confirm it before it is sent.');
  return (
    (await showWarning(t('The place of the code in the answer is unclear.'), { modal: true, detail }, ask)) === ask
  );
}

/**
 * The request for the whole code in the conversation of the first request. `answer`: the text of the answer, without
 * thinking.
 */
export function wholeAfter(
  outgoing: Outgoing,
  sent: Dispatched,
  answer: string,
  target: Target,
  { quoted }: Misplaced,
): Outgoing {
  return withFollowUp(outgoing, answer, wholePrompt(asWritten(quoted, answer), wholeOf(target)), sent);
}

/** Describes the code that is requested again. */
export function wholeOf(target: Target): WholeAsked {
  if (target.kind !== 'document') return { mode: 'file', places: 1, lines: 0 };
  const { places, mode, document } = target;
  const lines = Math.max(0, ...places.map(({ start, end }) => end - start));
  if (mode !== 'apply') return { mode, places: places.length, lines };
  return { mode: 'file', places: 1, lines, file: relativePath(document.uri) };
}
