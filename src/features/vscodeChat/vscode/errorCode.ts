import { isFrom } from '../../../util/errorKinds.ts';
import type { ServiceError } from '../../../util/errors.ts';

/** The kinds of vscode.LanguageModelError. */
type LanguageModelErrorCode = 'NotFound' | 'NoPermissions' | 'Blocked';

/** Returns the code of vscode.LanguageModelError for an error; null if no code fits and only the message describes it. */
export function languageModelErrorCode(error: ServiceError): LanguageModelErrorCode | null {
  if (isFrom(error, 'rules')) return error.code === 'audit-unwritable' ? null : 'Blocked';
  if (!isFrom(error, 'service')) return null;
  switch (error.kind) {
    case 'auth':
    case 'permission':
      return error.code === 'page' ? null : 'NoPermissions';
    case 'request':
      if (error.code === 'quota' || error.code === 'content-filter') return 'Blocked';
      return error.status === 404 ? 'NotFound' : null;
    case 'rateLimit':
      return 'Blocked';
  }
}
