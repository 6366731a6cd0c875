import * as vscode from 'vscode';
import { PolicyError } from '../../policy/policyError.ts';
import type { Card, CardAction } from '../../protocol/card.ts';
import { filesOf, type ServiceError, type ServiceErrorKind } from '../../util/errors.ts';
import { describeNumber } from './describeNumber.ts';

const t = vscode.l10n.t;

/** The text of a card and its actions. */
export interface Words {
  readonly title: string;
  readonly detail?: string;
  /** If it is omitted, the kind of the error decides. */
  readonly severity?: Card['severity'];
  readonly actions: readonly LabeledId[];
  /** The setting that Open Settings opens; svc.baseUrl by default. */
  readonly setting?: string;
}

/** The words for each code of a group; `host` is where the request was to go. */
export type WordsByCode<C extends string, K extends ServiceErrorKind> = {
  readonly [Code in C]: (error: ServiceError<K>, host: string) => Words;
};

/** The actions that a message performs itself. */
export type MessageAction =
  | 'reveal'
  | 'openAuditLog'
  | 'reviewFile'
  | 'retryNow'
  | 'cancelWork'
  | 'askAgain'
  | 'askForCells'
  | 'insertCode'
  | 'asNewFile'
  | 'openFile';
/** The actions that several cards have. The labels of all other actions are next to the code of their card. */
export type LabeledId = Exclude<CardAction['id'], MessageAction | 'leaveOutInstructions'>;

/** Returns an action as a button. Open Settings opens `place` if the error names no setting. */
export function cardAction(id: LabeledId, error: ServiceError, place = 'svc.baseUrl'): CardAction {
  const setting = error instanceof PolicyError ? error.problems[0]?.key : id === 'openSettings' ? place : undefined;
  const hasSeveralFiles = id === 'removeFile' && filesOf(error).length > 1;
  return {
    id,
    label: hasSeveralFiles ? t('Remove Files') : actionLabel(id),
    ...(setting === undefined ? {} : { setting }),
  };
}

export function actionLabel(id: LabeledId): string {
  switch (id) {
    case 'setApiKey':
      return t('Set API Key');
    case 'setBaseUrl':
      return t('Connect');
    case 'retry':
      return t('Retry');
    case 'continue':
      return t('Continue');
    case 'newChat':
      return t('New Chat');
    case 'removeFile':
      return t('Remove File');
    case 'summarize':
      return t('Summarize Earlier Turns');
    case 'leaveOutTurns':
      return t('Leave Out the Oldest Turns');
    case 'leaveOutConflicting':
      return t('Leave Out Instructions');
    case 'leaveOutAttached':
      return t('Leave Out a File…');
    case 'openSettings':
      return t('Open Settings');
    case 'setModelWindow':
      return t('Set the Model’s Window');
    case 'checkHealth':
      return t('Check Service Status');
    case 'diagnoseConnection':
      return t('Troubleshoot');
    case 'selectModel':
      return t('Select Model');
    case 'manageTrust':
      return t('Manage Trust');
    case 'showLog':
      return t('Show Log');
    case 'showPolicy':
      return t('Show Managed Policy');
    case 'showFirstSteps':
      return t('First Steps');
    case 'showReview':
      return t('Open Report');
    case 'showProblems':
      return t('Show Problems');
  }
}

/** States that the settings declare a larger window than the model has. */
export function declaredWords(tokens: number): string {
  return t('In svc.context.windows, the window is larger: {0} tokens.', describeNumber(tokens));
}

/** Returns the text of a card on one line. */
export function cardText({ title, detail }: Card): string {
  return detail === undefined ? title : `${title}. ${detail}`;
}
