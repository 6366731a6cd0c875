import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { checkNote, parseVkey } from '../note.ts';
import { hasQuorum } from '../policy.ts';
import type { VerifiedLedger } from '../verify/ledger.ts';
import type { VerifiedPart, VerifyOptions } from '../verify/part.ts';

/** The checkpoint of all that a ledger has signed; of several, kept ones too, the one that says most: by the policy, else by number. */
export function lastNote(
  { intake }: VerifiedPart,
  { origin, size, vkey }: VerifiedLedger,
  { policy = null, checkpoints = [] }: Pick<VerifyOptions, 'policy' | 'checkpoints'>,
): SignedCheckpoint | null {
  const key = parseVkey(vkey ?? '');
  const own = [...(intake.ledgers.get(origin)?.checkpoints.keys() ?? [])].map(parseCheckpoint);
  const weigh = ({ note }: SignedCheckpoint) =>
    (policy !== null && hasQuorum(note, policy) ? 100 : 0) + note.signatures.length;
  return [...own, ...checkpoints].reduce<SignedCheckpoint | null>((best, one) => {
    if (one?.origin !== origin || one.size !== size || key === null) return best;
    // In a collection, not each of one size was looked at.
    return checkNote(one.note, key) === 'valid' && (best === null || weigh(one) > weigh(best)) ? one : best;
  }, null);
}
