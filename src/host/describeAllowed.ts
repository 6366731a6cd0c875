import * as vscode from 'vscode';
import { allowedBaseUrl } from '../policy/connection.ts';

const t = vscode.l10n.t;

/**
 * What policy/ says is allowed, or was found in a managed policy, in the reader's language. That room is pure and knows
 * no translations: its few phrases are found again here, and what is none of them (values, names) stays as it is.
 */
export function describeAllowed(words: string): string {
  const nullable = /^(.*), null$/.exec(words);
  if (nullable !== null) return `${describeAllowed(nullable[1] ?? '')}, null`;
  const atLeast = /^(a number|a whole number) from (-?[\d.]+) up$/.exec(words);
  if (atLeast !== null) {
    const [, kind, least] = atLeast;
    return kind === 'a number' ? t('a number from {0} up', least ?? '') : t('a whole number from {0} up', least ?? '');
  }
  const between = /^a whole number from (-?\d+) to (-?\d+)$/.exec(words);
  if (between !== null) return t('a whole number from {0} to {1}', between[1] ?? '', between[2] ?? '');
  const drawn = /^a list drawn from (.*)$/.exec(words);
  if (drawn !== null) return t('a list drawn from {0}', drawn[1] ?? '');
  return phrases()[words] ?? words;
}

function phrases(): Readonly<Record<string, string>> {
  return {
    'a string': t('a string'),
    'a number': t('a number'),
    'a whole number': t('a whole number'),
    'a model identifier': t('a model identifier'),
    'a model identifier, or the beginning of one and *': t('a model identifier, or the beginning of one and *'),
    'a list': t('a list'),
    'a list that is not empty': t('a list that is not empty'),
    'a list of {"name": string, "baseUrl": string}': t('a list of objects with "name" and "baseUrl"'),
    'a whole number of bytes, 0 or more': t('a whole number of bytes, 0 or more'),
    'a JSON object': t('a JSON object'),
    'no JSON': t('no JSON'),
    'the key twice': t('the key twice'),
    'each key once': t('each key once'),
    'a key that is not known': t('a key that is not known'),
    'the file': t('the file'),
    'an origin such as https://svc.example.com, or http:// on 127.0.0.1, [::1] or localhost': t(
      'an origin such as https://svc.example.com, or http:// on 127.0.0.1, [::1] or localhost',
    ),
    [allowedBaseUrl]: t(
      'https://<host>/…/api/v1, or http:// on 127.0.0.1, [::1] or localhost; no user name, password, query or fragment',
    ),
  };
}
