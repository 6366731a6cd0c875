import * as vscode from 'vscode';
import type { ViewStrings } from '../../protocol/messages.ts';

const t = vscode.l10n.t;

/** The texts of the page: it cannot reach VS Code's translations itself. */
export function viewStrings(): ViewStrings {
  return {
    composerPlaceholder: t('Ask Svc'),
    send: t('Send'),
    stop: t('Stop'),
    newChat: t('New Chat'),
    copyCode: t('Copy code'),
    copied: t('Copied'),
    insertCode: t('Insert at Cursor'),
    newFile: t('New File'),
    applyCode: t('Apply to File'),
    codeUnfinished: t('the answer is still being written'),
    codeCut: t('This code is not complete: it can be copied, but not inserted or applied.'),
    showAllLines: t('Show all {0} lines', '{0}'),
    showFewerLines: t('Show fewer lines'),
    copyAnswer: t('Copy answer'),
    retryNow: t('Retry now'),
    cancel: t('Cancel'),
    retryingIn: t('Retrying in {0} s', '{0}'),
    you: t('You'),
    answer: t('Answer'),
    transcript: t('Conversation'),
    waiting: t('Waiting for the service'),
    model: t('Model'),
    posture: t('Svc headers of the next request'),
    noPosture: t('no headers'),
    blocked: t('blocked'),
    preview: t('Show what leaves'),
    attach: t('Attach a file'),
    attachments: t('Attached to the next question'),
    remove: t('Remove'),
    showExactText: t('Show Exact Text'),
    requested: t('Requested'),
    said: t('The service says'),
    header: t('Header'),
    reviewing: t('Nothing is sent yet: the request waits for your word.'),
    answerStarted: t('The answer has begun.'),
    answerComplete: t('The answer is complete. Code blocks: {0}.', '{0}'),
    emptyTitle: t('Ask about your code'),
    emptyHint: t('Answers come from your Svc service, with the compliance headers that your settings ask for.'),
  };
}
