import type { ServiceError } from '../../util/errors.ts';

/** The kinds of vscode.LanguageModelError. */
type LanguageModelErrorCode = 'NotFound' | 'NoPermissions' | 'Blocked';

/** The code of vscode.LanguageModelError for an error; null if none fits and only the message describes it. */
export function languageModelErrorCode({ kind, status, code }: ServiceError): LanguageModelErrorCode | null {
  switch (kind) {
    case 'auth':
    case 'permission':
      return 'NoPermissions';
    case 'request':
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
