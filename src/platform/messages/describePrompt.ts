import * as vscode from 'vscode';
import { maxText, type PromptKey, type PromptProblem, promptKeys } from '../../session/prompts/promptFile.ts';

const t = vscode.l10n.t;

/** Explains why a prompt file cannot be used: the line, its content, and what is allowed. */
export function describePromptProblem({ line, fault }: PromptProblem): string {
  const [found, allowed] = words(fault);
  return t('line {0}: found {1}, allowed: {2}', line, found, allowed);
}

function words(fault: PromptProblem['fault']): readonly [found: string, allowed: string] {
  switch (fault.kind) {
    case 'noEnd':
      return [t('front matter without an end'), t('a line that contains only ---')];
    case 'noText':
      return [t('no text'), t('text after the front matter')];
    case 'unknownKey':
      return [fault.line, t('{0}, each as key: value', promptKeys.join(', '))];
    case 'keyTwice':
      return [t('duplicate {0}', fault.key), t('each key only once')];
    case 'value':
      return [fault.found, `${fault.key}: ${valueWords(fault.key)}`];
  }
}

function valueWords(key: PromptKey): string {
  switch (key) {
    case 'name':
      return t('up to 40 lowercase letters, digits and hyphens, starting with a letter');
    case 'description':
      return t('one line of plain text, at most {0} characters', maxText);
    case 'model':
      return t('a model identifier, at most {0} characters', maxText);
  }
}
