import * as vscode from 'vscode';
import type { Allowed, Choice, SettingFormat } from '../../policy/allowed.ts';

const t = vscode.l10n.t;

/** Describes the allowed values in the user's language; names and values are not translated. */
export function describeAllowed(allowed: Allowed<SettingFormat>): string {
  const words = isChoice(allowed) ? choiceWords(allowed) : formatWords(allowed.kind);
  return allowed.orNull ? `${words}, null` : words;
}

export function isChoice(allowed: Allowed): allowed is Choice {
  return ['oneOf', 'listOf', 'number'].includes(allowed.kind);
}

export function choiceWords(choice: Choice): string {
  switch (choice.kind) {
    case 'oneOf':
      return choice.values.join(', ');
    case 'listOf':
      return choice.values.length === 0 ? t('a list of strings') : t('a list from {0}', choice.values.join(', '));
    case 'number':
      return numberWords(choice);
  }
}

function numberWords({ isWhole, minimum, maximum }: Extract<Choice, { kind: 'number' }>): string {
  if (minimum === undefined) return isWhole ? t('an integer') : t('a number');
  if (maximum !== undefined) {
    return isWhole
      ? t('an integer from {0} to {1}', minimum, maximum)
      : t('a number from {0} to {1}', minimum, maximum);
  }
  return isWhole ? t('an integer of at least {0}', minimum) : t('a number of at least {0}', minimum);
}

export function formatWords(format: SettingFormat): string {
  switch (format) {
    case 'string':
      return t('a string');
    case 'model':
      return t('a model identifier');
    case 'connections':
      return t('a list of objects with "name" and "baseUrl"');
    case 'windows':
      return t(
        'a list of "model=tokens", each model once, with 1,024 to 16,777,216 tokens; a model can end with *, which matches any ending',
      );
    case 'helper':
      return t(
        'an object with {0} (a list: the absolute path of a program, not of a batch file, and its arguments) and optionally {1}',
        '"command"',
        '"timeoutSeconds" (1–300), "origin"',
      );
    case 'baseUrl':
      return t(
        'https://<host>/…/api/v1, or http:// on 127.0.0.1, [::1] or localhost; no user name, password, query or fragment',
      );
  }
}
