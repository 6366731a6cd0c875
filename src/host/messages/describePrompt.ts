import * as vscode from 'vscode';
import { maxText, type PromptKey, type PromptProblem, promptKeys } from '../../session/prompts/promptFile.ts';

const t = vscode.l10n.t;

/** Why a prompt file cannot be used: the line, its content, and what is allowed. */
export function describePromptProblem({ line, fault }: PromptProblem): string {
  const [found, allowed] = words(fault);
  return t('line {0}: found {1}, allowed: {2}', line, found, allowed);
}

function words(fault: PromptProblem['fault']): readonly [found: string, allowed: string] {
  switch (fault.kind) {
    case 'noEnd':
      return [t('no end of the front matter'), t('a line with only ---')];
    case 'noText':
      return [t('no text'), t('a text after the front matter')];
    case 'unknownKey':
      return [fault.line, t('{0}, each as key: value', promptKeys.join(', '))];
    case 'keyTwice':
      return [t('{0} twice', fault.key), t('each key once')];
    case 'value':
      return [fault.found, `${fault.key}: ${valueWords(fault.key)}`];
  }
}

function valueWords(key: PromptKey): string {
  switch (key) {
    case 'name':
      return t('small letters, digits and hyphens, a letter first, at most 40');
    case 'description':
      return t('one line of plain text, at most {0} characters', maxText);
    case 'model':
      return t('a model identifier, at most {0} characters', maxText);
  }
}
