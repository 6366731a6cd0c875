import * as vscode from 'vscode';
import { languageName } from '../../session/prompts/language.ts';

/**
 * Returns the language for the answer to a prompt without text from the user: VS Code's display language, as named by
 * languageName().
 */
export function answerLanguage(): string | null {
  return languageName(vscode.env.language);
}
