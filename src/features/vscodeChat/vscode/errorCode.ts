import type { ServiceError } from '../../../util/errors.ts';

/** The kinds of vscode.LanguageModelError. */
type LanguageModelErrorCode = 'NotFound' | 'NoPermissions' | 'Blocked';

/** The code of vscode.LanguageModelError for an error; null if none fits and only the message describes it. */
export function languageModelErrorCode({ kind, status, code }: ServiceError): LanguageModelErrorCode | null {
  switch (kind) {
    case 'auth':
    case 'permission':
      return code === 'page' ? null : 'NoPermissions';
    case 'request':
      if (code === 'quota' || code === 'content-filter') return 'Blocked';
      return status === 404 ? 'NotFound' : null;
    case 'rateLimit':
    case 'policy':
      return 'Blocked';
    case 'gate':
      return code === 'audit-unwritable' ? null : 'Blocked';
    default:
      return null;
  }
}
