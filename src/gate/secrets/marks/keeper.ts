import { type Change, type LostSecret, lostSecrets } from './lostSecrets.ts';
import { putBack } from './putBack.ts';
import { type Part, secretsOf } from './targetSecrets.ts';

/** Preserves the secrets of a document while code for it is proposed. */
export interface SecretKeeper {
  /** See putBack(). Returns the code, and the number of secrets restored in it. `lines` are the document's lines. */
  putBack(code: string, lines: readonly string[]): { readonly text: string; readonly count: number };
  /** See lostSecrets(). */
  lost(original: readonly string[], proposed: readonly string[], changes: readonly Change[]): readonly LostSecret[];
}

/** See secretsOf(). Loads the scanner. */
export async function keeperOf(whole: Part, parts: readonly Part[]): Promise<SecretKeeper> {
  const scanner = await import('../scanner.ts');
  const secrets = await secretsOf(whole, parts, scanner);
  return {
    putBack: (code, lines) => putBack(code, lines, secrets, scanner.ruleNames),
    lost: (original, proposed, changes) => lostSecrets(original, proposed, changes, secrets, scanner.ruleNames),
  };
}
