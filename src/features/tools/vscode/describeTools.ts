import * as vscode from 'vscode';
import { describeLayer } from '../../../platform/messages/describePolicy.ts';
import { describeError } from '../../../platform/messages/errors/describeError.ts';
import type { ToolsOff } from '../../../platform/settings/toolsEnabled.ts';
import type { ToolName } from './definitions.ts';

const t = vscode.l10n.t;

/** What one of our tools does, for the user. */
export function ownToolWords(name: ToolName): { readonly title: string; readonly does: string } {
  switch (name) {
    case 'read_file':
      return { title: t('Read files'), does: t('Reads a text file of the workspace, or some of its lines.') };
    case 'list_files':
      return { title: t('List files'), does: t('Lists the files in a folder of the workspace.') };
    case 'search_text':
      return { title: t('Search text'), does: t('Finds the lines with a text in the files of the workspace.') };
    case 'find_symbols':
      return { title: t('Find symbols'), does: t('Finds functions, classes and other symbols by name.') };
    case 'get_problems':
      return { title: t('Get problems'), does: t('Reads the errors and warnings of a file, or of all files.') };
    case 'git_diff':
      return { title: t('Read Git changes'), does: t('Reads the changes since the last commit.') };
  }
}

/** Why the user cannot turn tools on here; empty if they can. */
export function whyLocked(off: ToolsOff | null): string {
  switch (off?.by) {
    case 'policy':
      return describeError(off.error, { canRetry: false, canContinue: false })?.title ?? '';
    case 'invalid':
      return t('Off until {0} in the {1} settings is a list of names.', 'svc.tools.disabled', describeLayer(off.layer));
    case 'layer':
      return off.layer.layer === 'user' ? '' : t('Turned off in the {0} settings.', describeLayer(off.layer));
    case undefined:
      return '';
  }
}
