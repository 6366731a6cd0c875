import * as vscode from 'vscode';
import { languageName } from '../../session/prompts/language.ts';

/** The language of an answer to a prompt that has no words of the user: VS Code's display language, as languageName(). */
export function answerLanguage(): string | null {
  return languageName(vscode.env.language);
}
