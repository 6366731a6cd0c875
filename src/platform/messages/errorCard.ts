import * as vscode from 'vscode';
import type { Card } from '../../protocol/card.ts';
import type { ErrorDetails, ServiceError } from '../../util/errors.ts';
import { isNamed } from '../../util/isNamed.ts';
import { cardAction, type LabelledId, type Words } from './cardWords.ts';

const t = vscode.l10n.t;

/** What was happening when the error occurred; unknown fields are absent. */
export interface ErrorContext {
  readonly host?: string;
  readonly model?: string;
  /** The request can be sent again from the card. */
  readonly canRetry: boolean;
  /** A partial answer exists. */
  readonly canContinue: boolean;
  /** The error is shown in a conversation, below the question. */
  readonly question?: {
    readonly files: readonly string[];
    /** No question precedes it. */
    readonly isFirst: boolean;
  };
  /** The request was for a summary of earlier turns. */
  readonly isSummary?: boolean;
}

/** The words for an error as a card, with the actions that are possible here. */
export function errorCard(error: ServiceError, words: Words, context: ErrorContext): Card {
  const offered = actionsOf(words, context).filter((id) => isPossible(id, error, context));
  // The partial answer costs nothing again, so its rest comes before a new answer.
  const ids = new Set<LabelledId>(context.canContinue ? ['continue', ...offered] : offered);
  const { isSummary } = context;
  const title = isSummary ? t('The conversation was not summarized: {0}', words.title) : words.title;
  const detail = [words.detail, isSummary ? t('Nothing was changed.') : '', reference(error, words.title)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  return {
    severity: error.kind === 'interrupted' ? 'warning' : 'error',
    title,
    ...(detail === '' ? {} : { detail }),
    actions: [...ids].map((id) => cardAction(id, error, words.setting)),
  };
}

/** Without a summary, the question cannot be asked again: it would be too long as before. */
function actionsOf({ actions }: Words, { isSummary }: ErrorContext): readonly LabelledId[] {
  if (!isSummary) return actions;
  return [...new Set<LabelledId>(['summarize', 'leaveOutTurns', 'newChat', ...actions])].filter((id) => id !== 'retry');
}

function isPossible(id: LabelledId, error: ServiceError, { canRetry, question }: ErrorContext): boolean {
  if (id === 'retry') return canRetry;
  if (id === 'setModelWindow') return question !== undefined && learnedWindow(error) !== undefined;
  if (id === 'summarize') return question?.isFirst === false && error.code !== 'nothing-to-summarize';
  if (id === 'newChat' || id === 'leaveOutTurns') return question !== undefined;
  return id !== 'removeFile' || (question?.files.some((label) => isNamed(label, error.file)) ?? false);
}

/** The window that the service has shown, which can be wrong. */
function learnedWindow({ kind, code, contextTokens, details }: ServiceError): number | undefined {
  if (kind === 'gate') return (details as ErrorDetails<'gate'>).learned?.tokens;
  return code === 'context-length' ? contextTokens : undefined;
}

/** What the user can report to the operator of the service: the request ID, and a failed status that the title lacks. */
function reference({ status = 0, requestId }: ServiceError, title: string): string {
  const parts = [
    status < 400 || title.includes(`(${status})`) ? '' : t('Status {0}.', status),
    requestId === undefined ? '' : t('Request {0}.', requestId),
  ];
  return parts.filter((part) => part !== '').join(' ');
}
