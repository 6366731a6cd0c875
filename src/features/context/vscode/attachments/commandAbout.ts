import * as vscode from 'vscode';
import { answerLanguage } from '../../../../platform/messages/answerLanguage.ts';
import { allFolders, folderOf } from '../../../../platform/settings/settingsReader.ts';
import type { Outgoing } from '../../../../send/outgoing.ts';
import type { TurnCommand } from '../../../../session/conversation/turn.ts';
import { actionOf, slashNames, slashText } from '../../../../session/prompts/prompts.ts';
import { readPrompts } from './promptFiles.ts';

/** The parts that a slash command adds to a request, besides attachments. */
export interface CommandAbout extends Partial<Pick<Outgoing, 'action' | 'askedModel'>> {
  /** Like Outgoing.folders. */
  readonly places?: readonly string[];
  /** The command as it would be in the turn, without the text after its name. */
  readonly command?: TurnCommand;
}

/**
 * Returns these parts before the command is sent. `attached` are the keys of existing attachments. An unknown command has none.
 */
export async function commandAbout(name: string, attached: readonly string[]): Promise<CommandAbout> {
  const builtIn = slashNames.find((one) => one === name);
  if (builtIn !== undefined) {
    const command = { name, text: slashText(builtIn, '', answerLanguage()) };
    const action = actionOf({ action: 'chat', command });
    if (builtIn === 'commit')
      return { action, command, places: attached.some((key) => key.startsWith('diff:')) ? [] : allFolders() };
    const uri = vscode.window.activeTextEditor?.document.uri;
    return {
      action,
      command,
      places: attached.length > 0 || uri === undefined ? [] : [folderOf(uri) ?? uri.toString()],
    };
  }
  // A file that cannot be read now may be readable when the command is sent: so its folder is included in any case.
  const named = (await readPrompts()).filter((one) => one.name === name);
  const entry = named.find(({ prompt }) => prompt !== undefined) ?? named[0];
  if (entry === undefined) return {};
  const { folder, prompt } = entry;
  return {
    places: [folder],
    ...(prompt === undefined ? {} : { command: { name, text: prompt.text, folder } }),
    ...(prompt?.model === undefined ? {} : { askedModel: { model: prompt.model, prompt: name } }),
  };
}
