import type { ServiceError } from '../../util/errors.ts';

/** The kinds of vscode.LanguageModelError. */
export type LanguageModelErrorCode = 'NotFound' | 'NoPermissions' | 'Blocked';

/** Which of VS Code's kinds an error is; null where none fits, and its words alone tell. */
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
