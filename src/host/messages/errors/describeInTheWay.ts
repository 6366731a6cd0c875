import * as vscode from 'vscode';
import type { ServiceError } from '../../../util/errors.ts';
import type { Words } from '../cardWords.ts';

const t = vscode.l10n.t;

/** Adds why the settings of a folder apply, if only the instructions of the project bring them in, and the way out. */
export function withInstructions(words: Words, error: ServiceError): Words {
  const { instructions = [] } = error.kind === 'policy' ? error.details : {};
  const labels = instructions.map(({ label }) => label);
  if (labels.length === 0) return words;
  const names = new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(labels);
  const because =
    labels.length === 1
      ? t('The settings of its folder apply because {0} is included as instructions.', names)
      : t('The settings of their folders apply because {0} are included as instructions.', names);
  const detail = words.detail === undefined ? because : `${words.detail}\n${because}`;
  return { ...words, detail, actions: ['leaveOutConflicting', ...words.actions] };
}
