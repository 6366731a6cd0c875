import * as vscode from 'vscode';
import type { Allowed, AllowedKind } from '../../policy/allowed.ts';

const t = vscode.l10n.t;

/** Describes the allowed values in the user's language; names and values are not translated. */
export function describeAllowed(allowed: Allowed): string {
  const words = valueWords(allowed);
  return allowed.orNull ? `${words}, null` : words;
}

function valueWords(allowed: Allowed): string {
  switch (allowed.kind) {
    case 'oneOf':
      return allowed.values.join(', ');
    case 'listOf':
      return allowed.values.length === 0 ? t('a list of strings') : t('a list from {0}', allowed.values.join(', '));
    case 'number':
      return numberWords(allowed);
    default:
      return kindWords(allowed.kind);
  }
}

function numberWords({ isWhole, minimum, maximum }: Extract<Allowed, { kind: 'number' }>): string {
  if (minimum === undefined) return isWhole ? t('an integer') : t('a number');
  if (maximum !== undefined) {
    return isWhole
      ? t('an integer from {0} to {1}', minimum, maximum)
      : t('a number from {0} to {1}', minimum, maximum);
  }
  return isWhole ? t('an integer of at least {0}', minimum) : t('a number of at least {0}', minimum);
}

function kindWords(kind: AllowedKind): string {
  switch (kind) {
    case 'string':
      return t('a string');
    case 'model':
      return t('a model identifier');
    case 'modelPattern':
      return t('a model identifier, or a prefix followed by *');
    case 'toolPattern':
      return t('the name of a tool, {0} or {1}; * at the end matches any rest', 'mcp:server', 'mcp:server/tool');
    case 'list':
      return t('a list');
    case 'listNotEmpty':
      return t('a non-empty list');
    case 'connections':
      return t('a list of objects with "name" and "baseUrl"');
    case 'windows':
      return t(
        'a list of "model=tokens", each model once, with 1,024 to 16,777,216 tokens; * at the end of a model stands for any rest',
      );
    case 'helper':
      return t(
        'an object with {0} (a list: the absolute path of a program, not of a batch file, and its arguments) and optionally {1}',
        '"command"',
        '"timeoutSeconds" (1–300), "origin"',
      );
    case 'helperCommand':
      return t('a list of strings: the absolute path of a program, not of a batch file, and its arguments');
    case 'bytes':
      return t('a number of bytes, 0 or more');
    case 'logName':
      return t('1 to 100 letters, digits and . _ ~ / -');
    case 'otlpUrl':
      return t(
        'https://<host>/…/v1/logs, or http:// on 127.0.0.1, [::1] or localhost; no user name, password, query or fragment',
      );
    case 'headerName':
      return t('the name of an HTTP header, only once, that Svc Coder does not set itself');
    case 'headerValue':
      return t('1 to 4,000 printable ASCII characters, with no space at the beginning or end');
    case 'onlyWithOtlp':
      return t('true only together with {0}', 'evidence.otlp');
    case 'variableName':
      return t('the name of an environment variable');
    case 'version':
      return t('a version such as {0}', '1.2.3');
    case 'httpsUrl':
      return t('an address that begins with https://, without a user name and password');
    case 'policyUrl':
      return t('https://<host>/…, or http:// on 127.0.0.1, [::1] or localhost; no user name, password or fragment');
    case 'publicKey':
      return t('a key of a signed note such as {0}', 'name+a1b2c3d4+Base64');
    case 'time':
      return t('a time such as {0}', '2026-11-26T10:00:00Z');
    case 'later':
      return t('a time after {0}', 'issued');
    case 'ownFile':
      return t('only in the policy file of the machine');
    case 'instructions':
      return t('text of 1 to 8,192 bytes, not only white space, without NUL characters');
    case 'instructionsFile':
      return t(
        'the name of a text file of 1 to 8,192 bytes in the folder of the policy; it ends in {0} or {1}',
        '.md',
        '.txt',
      );
    case 'onlyInstructionsFile':
      return t('{0} or {1}, not both', 'instructions', 'instructionsFile');
    case 'object':
      return t('a JSON object');
    case 'eachKeyOnce':
      return t('each key only once');
    case 'origin':
      return t('an origin such as https://svc.example.com, or http:// on 127.0.0.1, [::1] or localhost');
    case 'baseUrl':
      return t(
        'https://<host>/…/api/v1, or http:// on 127.0.0.1, [::1] or localhost; no user name, password, query or fragment',
      );
    case 'utf8':
      return 'UTF-8';
  }
}
