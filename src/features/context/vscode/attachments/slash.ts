import * as vscode from 'vscode';
import type { SlashName } from '../../../../session/prompts/prompts.ts';
import { slashNames } from '../../../../session/prompts/prompts.ts';
import type { Offer } from '../source.ts';
import { best } from './match.ts';
import { readPrompts } from './promptFiles.ts';

const t = vscode.l10n.t;
const maxOffered = 50;

/** The offers for `/`: the commands, then the prompts of the workspace. A broken file is shown with its problem. */
export async function offerCommands(query: string): Promise<readonly Offer[]> {
  const commands: readonly Offer[] = slashNames.map((name) => ({
    label: `/${name}`,
    detail: aboutCommand(name),
    icon: 'lightbulb-sparkle',
    insert: `/${name} `,
  }));
  const prompts = (await readPrompts()).map(({ file, name, prompt, problem }): Offer => {
    if (prompt === undefined || problem !== undefined) {
      return { label: `/${name}`, detail: `${file}: ${problem ?? ''}`, icon: 'error', isBlocked: true };
    }
    const about = [prompt.description, prompt.model].filter((part) => part !== undefined && part !== '');
    return { label: `/${name}`, detail: about.join(' · ') || file, icon: 'note', insert: `/${name} ` };
  });
  return best(query, [...commands, ...prompts], ({ label }) => label.slice(1), maxOffered);
}

function aboutCommand(name: SlashName): string {
  switch (name) {
    case 'explain':
      return t('explain the code');
    case 'generate':
      return t('write code');
    case 'fix':
      return t('find and fix problems');
    case 'tests':
      return t('write unit tests');
    case 'docs':
      return t('write documentation comments');
    case 'review':
      return t('review the code');
    case 'commit':
      return t('write a commit message for the git diff');
  }
}
