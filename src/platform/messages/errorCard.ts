import * as vscode from 'vscode';
import type { Card } from '../../protocol/card.ts';
import { type ErrorDetails, filesOf, type ServiceError } from '../../util/errors.ts';
import { cardAction, type LabeledId, type Words } from './cardWords.ts';

const t = vscode.l10n.t;

/** The situation in which the error occurred; unknown fields are missing. */
export interface ErrorContext {
  readonly host?: string;
  readonly model?: string;
  /** Whether the request can be sent again from the card. */
  readonly canRetry: boolean;
  /** Whether a partial answer exists. */
  readonly canContinue: boolean;
  /** The question above the error, if the error is shown in a conversation. */
  readonly question?: {
    readonly files: readonly string[];
    /** Whether it is the first question of the conversation. */
    readonly isFirst: boolean;
  };
  /** Whether the request was for a summary of earlier turns. */
  readonly isSummary?: boolean;
  /** Whether the turn has proposed changes of files before the error. */
  readonly hasProposed?: boolean;
}

/** Returns the card for an error, with the actions that are possible in this context. */
export function errorCard(error: ServiceError, words: Words, context: ErrorContext): Card {
  const offered = actionsOf(words, context).filter((id) => isPossible(id, error, context));
  // Continue comes first, because the partial answer need not be paid for again.
  const ids = new Set<LabeledId>(context.canContinue ? ['continue', ...offered] : offered);
  const { isSummary } = context;
  const title = isSummary ? t('The conversation was not summarized: {0}', words.title) : words.title;
  const detail = [words.detail, isSummary ? t('Nothing was changed.') : '', reference(error, words.title)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  return {
    severity: words.severity ?? (error.kind === 'interrupted' ? 'warning' : 'error'),
    title,
    ...(detail === '' ? {} : { detail }),
    actions: [...ids].map((id) => cardAction(id, error, words.setting)),
  };
}

/**
 * Returns the actions of the card. After a failed summary, Retry is not offered, because the question would still be too
 * long.
 */
function actionsOf({ actions }: Words, { isSummary }: ErrorContext): readonly LabeledId[] {
  if (!isSummary) return actions;
  return [...new Set<LabeledId>(['summarize', 'leaveOutTurns', 'newChat', ...actions])].filter((id) => id !== 'retry');
}

function isPossible(id: LabeledId, error: ServiceError, { canRetry, question }: ErrorContext): boolean {
  if (id === 'retry') return canRetry;
  if (id === 'setModelWindow') return question !== undefined && learnedWindow(error) !== undefined;
  if (id === 'summarize') return question?.isFirst === false && error.code !== 'nothing-to-summarize';
  if (id === 'newChat' || id === 'leaveOutTurns') return question !== undefined;
  return id !== 'removeFile' || (question?.files.some((label) => filesOf(error).includes(label)) ?? false);
}

/** Returns the context window that was learned from the service's errors, which can be wrong. */
function learnedWindow({ kind, code, contextTokens, details }: ServiceError): number | undefined {
  if (kind === 'gate') return (details as ErrorDetails<'gate'>).learned?.tokens;
  return code === 'context-length' ? contextTokens : undefined;
}

/**
 * Returns what the user can report to the operator of the service: the request ID, and the error status if the title does
 * not contain it.
 */
function reference({ status = 0, requestId }: ServiceError, title: string): string {
  const parts = [
    status < 400 || title.includes(`(${status})`) ? '' : t('Status {0}.', status),
    requestId === undefined ? '' : t('Request {0}.', requestId),
  ];
  return parts.filter((part) => part !== '').join(' ');
}
