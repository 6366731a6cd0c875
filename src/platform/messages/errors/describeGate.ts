import * as vscode from 'vscode';
import type { ErrorDetails, GitEnd, ServiceError } from '../../../util/errors.ts';
import type { Words } from '../cardWords.ts';
import { describeNumber, describeOverLimit } from '../describeNumber.ts';
import { errorName } from '../errorName.ts';
import { changedWords } from './describeChanged.ts';
import { untrustedWords } from './describeForbidden.ts';

const t = vscode.l10n.t;

/** Why a request, or a part of it, may not leave or cannot be read. A stored error has neither `file`, `reason` nor details. */
export function gateWords({
  code,
  file = '',
  reason = '',
  host = '',
  contextTokens,
  details,
}: ServiceError<'gate'>): Words {
  switch (code) {
    case 'excluded':
      return {
        title:
          file === ''
            ? t('Nothing was sent: an attached file is excluded')
            : t('Nothing was sent: {0} is excluded', file),
        ...(reason === '' ? {} : { detail: t('Excluded by {0}.', reason) }),
        // A retry would read the same rules.
        actions: ['removeFile', 'newChat'],
      };
    case 'too-large':
      return {
        title:
          file === '' ? t('Nothing was sent: the request is too large') : t('Nothing was sent: {0} is too large', file),
        detail:
          details.size === undefined
            ? t('Attach a selection instead, or start a new chat.')
            : t('It has {0}. Attach a selection instead, or start a new chat.', describeOverLimit(details.size)),
        actions: ['removeFile', 'newChat'],
      };
    case 'untrusted':
      return untrustedWords(details);
    case 'changed':
      return changedWords(details.changes);
    case 'masking-endless':
      return {
        title: t('Nothing was sent: some secrets could not be masked'),
        detail:
          file === ''
            ? t(
                'The text still contained a secret after it was masked several times. Leave out the lines around the masked secrets.',
              )
            : t(
                '{0} still contained a secret after it was masked several times. Leave out the lines around the masked secrets.',
                file,
              ),
        actions: ['retry'],
      };
    case 'not-recognized':
      return {
        title: t('Nothing was sent: not all excluded files are recognized by their content'),
        detail: [t('Your administrator requires this.'), reason].filter((part) => part !== '').join(' '),
        actions: ['retry', 'showPolicy'],
      };
    case 'audit-unwritable':
      return {
        title: t('Nothing was sent: the audit log cannot be written'),
        detail: [t('Every request needs an audit record before it is sent.'), reason, file]
          .filter((part) => part !== '')
          .join(' '),
        actions: ['retry', 'showLog'],
      };
    case 'not-delivered':
      return {
        title: t('Nothing was sent: the audit log is not delivered'),
        detail: undeliveredWords(host, details),
        actions: ['retry', 'showPolicy', 'showLog'],
      };
    case 'gone':
      return title(t('{0} no longer exists. It was moved, renamed or deleted', file));
    case 'not-text':
      return title(t('{0} cannot be read as text', file));
    case 'no-images':
      return {
        title:
          file === ''
            ? t('Nothing was sent: the request contains an image, and Svc models accept only text')
            : t('{0} is an image, and Svc models accept only text', file),
        detail: t('Describe what the image shows, or attach a file with its text.'),
        actions: [],
      };
    case 'no-data':
      return title(t('Nothing was sent: Svc models accept only text, not {0}', reason));
    case 'unknown-part':
      return title(t('Nothing was sent: the request contains content that is not text'));
    case 'over-budget':
      return {
        ...title(t('Nothing was sent: the attachments are too large. Remove {0}', file)),
        ...(reason === '' ? {} : { detail: reason }),
      };
    case 'nothing-there':
      return title(t('{0} is empty', file));
    case 'not-here':
      return title(t('{0} is not a file or folder that can be attached', file));
    case 'nothing-to-work-on':
      return title(t('{0} needs some code. Open a file or attach one', file));
    case 'broken-prompt':
      return title(t('The prompt {0} cannot be used: {1}', file, reason));
    case 'outside-workspace':
      return {
        ...title(t('Nothing was sent: {0} is outside the workspace', file)),
        detail: t('Open the file in an editor, or open its folder, to attach it.'),
      };
    case 'no-repository':
      return title(t('This workspace has no Git repository'));
    case 'git-off':
      return title(t('VS Code’s Git extension is turned off, or Git is not installed'));
    case 'git-failed':
      return title(gitTitle(reason, details.git));
    case 'conversation-too-long':
    case 'summary-wanted':
      return {
        title: tooLongTitle(details.tokens, contextTokens),
        detail:
          code === 'summary-wanted'
            ? t('When you send the question, a request for a summary of the earlier turns is sent first.')
            : t('If you summarize or leave out earlier turns, your questions in them are still sent.'),
        actions: ['summarize', 'leaveOutTurns', 'newChat', 'setModelWindow', 'openSettings'],
        setting: 'svc.context.maxTokens',
      };
    case 'nothing-to-summarize':
      return {
        title: t('There are no earlier turns to summarize'),
        actions: ['removeFile', 'newChat', 'openSettings'],
        setting: 'svc.context.maxTokens',
      };
    case 'question-too-long':
      return {
        title: t('Nothing was sent: the question is longer than the model can read'),
        detail: [
          sizeWords(details.tokens, contextTokens),
          file === ''
            ? t('Ask a shorter question, or raise the limit in the settings.')
            : t('Remove {0}, attach a selection instead, or raise the limit in the settings.', file),
        ]
          .filter((part) => part !== '')
          .join(' '),
        actions: ['removeFile', 'retry', 'newChat', 'setModelWindow', 'openSettings'],
        setting: 'svc.context.maxTokens',
      };
    case undefined:
      return title(t('Nothing was sent: the request contains excluded content'));
  }
}

/** Words without an action: the user has to choose again. */
function title(words: string): Words {
  return { title: words, actions: [] };
}

/** Git's own reason comes first. A stored error has none. */
function gitTitle(reason: string, end: GitEnd | undefined): string {
  const why = reason === '' && end !== undefined ? gitEnd(end) : reason;
  return why === '' ? t('Git could not list the changes') : t('Git could not list the changes: {0}', why);
}

function gitEnd(end: GitEnd): string {
  switch (end.is) {
    case 'exit':
      return t('exit code {0}', end.code);
    case 'signal':
      return t('it was ended by {0}', end.name);
    case 'not-started':
      return end.code === 'ENOENT'
        ? t('the program or the folder does not exist')
        : t('it could not be started ({0})', end.code);
  }
}

/** A stored error has no estimate. */
function tooLongTitle(tokens: number | undefined, limit: number | undefined): string {
  if (tokens === undefined || limit === undefined) return t('This conversation is longer than the model can read');
  const [size, fits] = [describeNumber(tokens), describeNumber(limit)];
  return t('This conversation is longer than the model can read: about {0} of {1} tokens', size, fits);
}

/** A stored error has no estimate. */
function sizeWords(tokens: number | undefined, limit: number | undefined): string {
  if (tokens === undefined || limit === undefined) return '';
  return t('It has about {0} tokens, and {1} fit.', describeNumber(tokens), describeNumber(limit));
}

function undeliveredWords(host: string, { size, failure }: ErrorDetails<'gate'>): string {
  return [
    t('Your administrator requires that it is delivered before more is sent.'),
    ...(size === undefined ? [] : [t('Waiting for {0}: {1}.', host, describeOverLimit(size))]),
    ...(failure === undefined ? [] : [t('The last attempt failed: {0}.', errorName(failure))]),
  ].join(' ');
}
