import * as vscode from 'vscode';
import { codeFromAnswer } from '../../session/codeAnswer.ts';
import type { Dispatch } from '../../session/dispatch.ts';
import { rewriteParts } from '../../session/prompts.ts';
import type { Review } from '../../session/review.ts';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { attachRange } from '../attachCode.ts';
import { warnIfContradicted } from '../describeReceipt.ts';
import type { Proposals } from '../edits/proposals.ts';
import { failureOf, showFailure, withProgress } from './attempt.ts';

const t = vscode.l10n.t;

/** Lines of the file that go along, before and after those that are to change. */
const linesAround = 60;

/**
 * Streams other lines in the place of some whole lines of a document into a proposal, which the person accepts or not.
 * The one place where reviews meet proposals.
 */
export function proposeFix(dispatch: Dispatch, proposals: Proposals, review: Review) {
  return async (document: vscode.TextDocument, range: vscode.Range, instruction: string): Promise<unknown> => {
    const { version, languageId } = document;
    const first = document.lineAt(range.start.line);
    const indent = first.text.slice(0, first.firstNonWhitespaceCharacterIndex);
    const lines = attachRange(document, range);
    const last = Math.min(document.lineCount - 1, range.end.line + linesAround);
    const around = attachRange(
      document,
      new vscode.Range(
        new vscode.Position(Math.max(0, range.start.line - linesAround), 0),
        document.lineAt(last).range.end,
      ),
    );
    const outgoing = {
      action: 'generate',
      messages: [{ role: 'user', parts: rewriteParts(instruction, languageId, lines, around), secrets: 'ask' }],
      modelKey: 'svc.model.code',
      folders: lines.folder === null ? [] : [lines.folder],
    } as const;
    try {
      return await withProgress(t('Svc is writing a proposal…'), async (signal) => {
        const stop = new AbortController();
        const { events } = await dispatch.send(outgoing, review, AbortSignal.any([signal, stop.signal]));
        const uri = await proposals.begin({ document, version, range, indent }, languageId, () => stop.abort());
        try {
          let answer = '';
          for await (const batch of events) {
            for (const event of batch) {
              if (event.type === 'text-delta') answer += event.text;
              else if (event.type === 'receipt') warnIfContradicted(event.receipt);
            }
            proposals.update(uri, dedented(codeFromAnswer(answer)));
          }
          const code = dedented(codeFromAnswer(answer));
          if (code === '') throw new ServiceError('protocol', 'The answer has no code.', { code: 'no-code' });
          await proposals.complete(uri);
          return { ok: true as const, code };
        } catch (error) {
          await proposals.reject();
          throw error;
        }
      });
    } catch (error) {
      if (!isServiceError(error)) throw error;
      void showFailure(error, '');
      return failureOf(error);
    }
  };
}

/** Without what all lines are indented by: the proposal indents them as the place they go to. */
function dedented(code: string): string {
  const lines = code.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const common = filled.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), 1000);
  return lines.map((line) => line.slice(Math.min(common, line.length))).join('\n');
}
