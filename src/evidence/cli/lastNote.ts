import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { checkNote, parseVkey } from '../note.ts';
import { isCosigned } from '../policy.ts';
import type { VerifiedLedger } from '../verify/ledger.ts';
import type { VerifiedPart, VerifyOptions } from '../verify/part.ts';

/**
 * The checkpoint of all lines that a ledger has signed, including kept checkpoints. If there are several, one that the
 * policy's cosigner has signed is preferred, then the one with the most signatures.
 */
export function lastNote(
  { intake }: VerifiedPart,
  { origin, size, vkey }: VerifiedLedger,
  { policy = null, checkpoints = [] }: Pick<VerifyOptions, 'policy' | 'checkpoints'>,
): SignedCheckpoint | null {
  const key = parseVkey(vkey ?? '');
  const own = [...(intake.ledgers.get(origin)?.checkpoints.keys() ?? [])].map(parseCheckpoint);
  const weigh = ({ note }: SignedCheckpoint) =>
    (policy !== null && isCosigned(note, policy) ? 100 : 0) + note.signatures.length;
  return [...own, ...checkpoints].reduce<SignedCheckpoint | null>((best, one) => {
    if (one?.origin !== origin || one.size !== size || key === null) return best;
    // For a collection, not every checkpoint of this size has been verified yet.
    return checkNote(one.note, key) === 'valid' && (best === null || weigh(one) > weigh(best)) ? one : best;
  }, null);
}
