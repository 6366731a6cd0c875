import * as vscode from 'vscode';
import { type Form, type FormChange, formChanges, type SentForm } from '../../send/form/form.ts';
import type { Turn } from '../../session/conversation/turn.ts';
import { foreignText } from '../messages/foreignText.ts';

const t = vscode.l10n.t;

/** The limits for the names of tools, which come from other extensions and MCP servers. */
const maxNames = 8;
const maxNameLength = 64;

/** Returns the changes that a form makes to a request, one line for each. */
export function formLines({ changes, withoutTools }: Form): readonly string[] {
  const lines = formChanges.filter((change) => changes.has(change)).map(changeWords);
  if (withoutTools === 'all') return [...lines, t('no tools are offered')];
  return withoutTools.size === 0 ? lines : [...lines, t('tools not offered: {0}', namesWords([...withoutTools]))];
}

function changeWords(change: FormChange): string {
  switch (change) {
    case 'usage':
      return t('no token counts are asked for');
    case 'tool-choice':
      return t('tool_choice is left out');
    case 'temperature':
      return t('temperature is left out');
    case 'max-tokens-renamed':
      return t('max_tokens is sent as max_completion_tokens');
    case 'max-tokens':
      return t('max_tokens is left out');
    case 'system-role':
      return t('the rules are sent in the question instead of a system message');
  }
}

/** Returns sentences that tell the user in which form a turn was sent, if it was changed. */
export function sentFormNotes({ lastRequest, state }: Turn): readonly string[] {
  const { sentForm } = state.memory;
  return sentForm === undefined ? [] : notesOf(sentForm, lastRequest?.model ?? '');
}

function notesOf({ requests, changed, unsent, tools }: SentForm, model: string): readonly string[] {
  const lines = changed.filter((change) => !unsent.includes(change)).map(changeWords);
  return [
    ...(requests === 1 ? [] : [requestsWords(requests, lines)]),
    ...unsent.map((change) => unsentWords(change, model)),
    ...(tools.length === 0 ? [] : [t('The service did not accept these tools: {0}.', namesWords(tools))]),
  ];
}

function requestsWords(requests: number, lines: readonly string[]): string {
  if (lines.length === 0) return t('{0} requests were sent, because the service refused the first.', requests);
  return t('{0} requests were sent, because the service refused the first. Changed: {1}.', requests, lines.join(', '));
}

function unsentWords(change: FormChange, model: string): string {
  const setting = change === 'temperature' ? 'svc.request.temperature' : 'svc.request.maxTokens';
  return t('{0} was not sent: {1} does not accept it.', setting, model);
}

function namesWords(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => foreignText(name, maxNameLength));
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(', ') : t('{0} and {1} more', shown.join(', '), rest);
}
