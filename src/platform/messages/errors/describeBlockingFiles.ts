import * as vscode from 'vscode';
import type { ServiceError } from '../../../util/errors.ts';
import type { Words } from '../cardWords.ts';

const t = vscode.l10n.t;

/**
 * Adds the reason why the settings of a folder apply, if they apply only because of instructions or attachments, and the
 * action that removes these.
 */
export function withNames(words: Words, error: ServiceError): Words {
  const { instructions = [], attached = [] } = error.kind === 'policy' ? error.details : {};
  const labels = (instructions.length > 0 ? instructions : attached).map(({ label }) => label);
  if (labels.length === 0) return words;
  const names = new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(labels);
  const because = instructions.length > 0 ? ofInstructions(names, labels.length) : ofAttached(names, labels.length);
  const detail = words.detail === undefined ? because : `${words.detail}\n${because}`;
  const action = instructions.length > 0 ? 'leaveOutConflicting' : 'leaveOutAttached';
  return { ...words, detail, actions: [action, ...words.actions] };
}

function ofInstructions(names: string, count: number): string {
  return count === 1
    ? t('The settings of its folder apply because {0} is included as instructions.', names)
    : t('The settings of their folders apply because {0} are included as instructions.', names);
}

function ofAttached(names: string, count: number): string {
  return count === 1
    ? t('The settings of its folder apply because {0} is attached.', names)
    : t('The settings of their folders apply because {0} are attached.', names);
}
