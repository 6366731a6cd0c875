import * as vscode from 'vscode';
import { withSignal } from '../../../../platform/messages/cancellation.ts';
import { cardText } from '../../../../platform/messages/cardWords.ts';
import { postureLabel } from '../../../../platform/messages/describePolicy.ts';
import { describeError } from '../../../../platform/messages/errors/describeError.ts';
import { incompleteEnd } from '../../../../platform/messages/incomplete.ts';
import { showingWaits, waitNotification } from '../../../../platform/messages/waits.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import type { AuditHeader } from '../../../../send/audit.ts';
import type { ConfirmSend } from '../../../../send/confirmation.ts';
import type { Dispatch } from '../../../../send/dispatch.ts';
import type { Receipt } from '../../../../send/message/receipt.ts';
import type { Refusals } from '../../../../send/refusals.ts';
import type { DispatchEvent } from '../../../../send/withAuditOutcome.ts';
import { asServiceError, type ServiceError } from '../../../../util/errors.ts';
import { receiptLabel, warnIfContradicted } from '../../../compliance/vscode/describeReceipt.ts';
import { oneAtATime } from '../oneAtATime.ts';
import { withoutNames } from '../withoutNames.ts';
import { outgoingQuestion } from './question.ts';

const t = vscode.l10n.t;

interface ParticipantParts {
  readonly dispatch: Dispatch;
  readonly refusals: Pick<Refusals, 'note'>;
  /** Asks the user whether a request may be sent. */
  readonly confirmSend: ConfirmSend;
  readonly contextReader: RequestContextReader;
}

/** `@svc` in VS Code's chat: questions, explanations, code and reviews, through the same gate as the panel. */
export class Participant {
  readonly #parts: ParticipantParts;
  readonly #confirmSend: ConfirmSend;

  constructor(parts: ParticipantParts) {
    this.#parts = parts;
    this.#confirmSend = oneAtATime(parts.confirmSend);
  }

  /** Answers a question. Never rejects: errors are in the result, with our own message. */
  async answer(
    request: Pick<vscode.ChatRequest, 'command' | 'prompt' | 'references' | 'model'>,
    { history }: vscode.ChatContext,
    response: Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    try {
      return await withSignal(token, async (signal, cancel) => {
        this.#parts.contextReader.requireFeature('languageModel');
        const dispatch = showingWaits(this.#parts.dispatch, waitNotification(cancel));
        const outgoing = await outgoingQuestion(request, history, this.#parts.contextReader.limits());
        const { model, headers, events, origin } = await dispatch.send(outgoing, this.#confirmSend, signal);
        let receipt: Receipt | undefined;
        let hasText = false;
        let finishReason: string | undefined;
        for await (const batch of events) {
          for (const event of batch) {
            show(event, response);
            if (event.type === 'receipt') receipt = event.receipt;
            if (event.type === 'text-delta' && event.text.trim() !== '') hasText = true;
            if (event.type === 'finish') finishReason = event.finishReason;
          }
        }
        const incomplete = incompleteEnd(finishReason, hasText, origin);
        if (!hasText && incomplete !== null) throw incomplete;
        if (receipt !== undefined) warnIfContradicted(receipt);
        const line = lastLine(model, headers, receipt);
        response.markdown(line);
        const errorDetails = incomplete === null ? {} : { errorDetails: { message: errorText(incomplete) } };
        return { metadata: { line }, ...errorDetails };
      });
    } catch (thrown) {
      const error = asServiceError(thrown);
      await this.#parts.refusals.note('languageModel', thrown);
      if (error.kind === 'aborted') return {};
      return { errorDetails: { message: errorText(error) } };
    }
  }
}

function errorText(error: ServiceError): string {
  const card = describeError(withoutNames(error), { canRetry: false, canContinue: false });
  return card === null ? '' : cardText(card);
}

function show(event: DispatchEvent, response: Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>): void {
  // VS Code renders a string as Markdown without command links and HTML.
  if (event.type === 'text-delta') response.markdown(event.text);
  if (event.type === 'retry-wait') {
    response.progress(t('Sending again in {0} s', Math.ceil(event.delayMs / 1000)));
  }
}

/** Returns the line below the answer, with the requested settings and the service's report. */
function lastLine(model: string, headers: readonly AuditHeader[], receipt: Receipt | undefined): string {
  const verdict = receipt === undefined || headers.length === 0 ? '' : receiptLabel(receipt.verdict);
  const parts = [model, postureLabel(headers), verdict].filter((part) => part !== '');
  return `\n\n---\n\n*Svc · ${parts.join(' · ')}*`;
}
