import * as vscode from 'vscode';
import { describeBytes, describeNumber } from '../../../../platform/messages/describeNumber.ts';
import type { AttachmentChip } from '../../../../protocol/attachments.ts';
import type { Card } from '../../../../protocol/card.ts';
import { estimateTokens } from '../../../../send/budget/tokens.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { hiddenCharacters } from '../../../../session/prompts/hiddenText.ts';
import type { InstructionsProblem, ProjectFile } from '../instructions.ts';
import { isUnsaved } from '../unsaved.ts';

const t = vscode.l10n.t;

/** The size in bytes from which the chip shows how many tokens each request contains. */
const longBytes = 32 * 1024;

export function instructionsChip(file: ProjectFile, id: string): AttachmentChip {
  const { label } = file;
  const name = t('instructions');
  if ('problem' in file) {
    const { short, long } = problemWords(file.problem);
    return { id, label, icon: 'book', size: `${name} · ${short}`, warning: long };
  }
  const { text, marks = [] } = file.attachment;
  const bytes = Buffer.byteLength(text);
  const tokens = describeNumber(estimateTokens(text));
  const details = [
    describeBytes(bytes),
    bytes < longBytes ? undefined : t('long: about {0} tokens each time', tokens),
    isUnsaved(file.uri) ? t('unsaved') : undefined,
    marks.length === 0 ? undefined : t('secrets: {0}', marks.length),
  ];
  const warning = warningOf(file.attachment);
  return {
    id,
    label,
    icon: 'book',
    size: [name, ...details].filter((part) => part !== undefined).join(' · '),
    note: t('Instructions of the project. They are sent with your questions.'),
    ...(warning === '' ? {} : { warning }),
  };
}

/** The chip of the organization's instructions, which the user cannot remove. */
export function organizationChip({ text, marks = [] }: Attachment): AttachmentChip {
  const warning = warningOf({ text, marks });
  return {
    id: 'organization',
    label: t('Organization'),
    icon: 'organization',
    size: [t('instructions'), describeBytes(Buffer.byteLength(text))].join(' · '),
    note: t('Instructions of your organization, from the managed policy. They are sent with your questions.'),
    isFixed: true,
    ...(warning === '' ? {} : { warning }),
  };
}

function warningOf({ text, marks = [] }: Pick<Attachment, 'text' | 'marks'>): string {
  const warnings = [
    hasHidden(text) ? t('It contains hidden characters. Preview Request shows them.') : undefined,
    marks.length === 0 ? undefined : t('Secrets found in it are always masked.'),
  ];
  return warnings.filter((part) => part !== undefined).join('\n');
}

/** Whether a text has characters that its readers do not see, but a model reads. */
function hasHidden(text: string): boolean {
  return hiddenCharacters(text.split(/\r\n|\r|\n/)).some(({ kind }) => kind !== 'invisible');
}

function problemWords(problem: InstructionsProblem): { readonly short: string; readonly long: string } {
  switch (problem.kind) {
    case 'excluded':
      return { short: t('excluded'), long: t('Excluded by {0}. It is not sent.', problem.rule) };
    case 'link':
      return { short: t('not sent'), long: t('It is a link, and links are not followed. It is not sent.') };
    case 'not-text':
      return { short: t('not sent'), long: t('It cannot be read as text. It is not sent.') };
    case 'too-large':
      return {
        short: t('too large'),
        long: t('The limit for instructions is {0}. The file is not sent.', describeBytes(problem.limit)),
      };
  }
}

/** The card that is shown the first time in a workspace. */
export function instructionsCard(labels: readonly string[]): Card {
  const names = new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(labels);
  return {
    severity: 'info',
    isQuiet: true,
    title:
      labels.length === 1
        ? t('{0} is included in your questions.', names)
        : t('{0} are included in your questions.', names),
    actions: [{ id: 'leaveOutInstructions', label: t('Leave Out') }],
  };
}
