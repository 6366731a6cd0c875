import type { Chains } from './chains.ts';
import type { VerifiedLedger } from './ledger.ts';

/** What signed lines say of a session whose files are gone on purpose. */
export interface Removal {
  readonly why: string;
  readonly isTrusted: boolean;
  /** The chains of the ledgers that say so. */
  readonly chains: Set<string>;
}

/** By session. */
export function removalsIn(ledgers: readonly VerifiedLedger[], chains: Chains): ReadonlyMap<string, Removal> {
  const removals = new Map<string, Removal>();
  for (const { origin, records } of ledgers) {
    for (const { record, isSigned } of records) {
      if (record.kind !== 'removed' || !isSigned) continue;
      const known = removals.get(record.session);
      removals.set(record.session, {
        why: record.why,
        isTrusted: chains.isTrusted(origin) || known?.isTrusted === true,
        chains: (known?.chains ?? new Set<string>()).add(chains.of(origin)),
      });
    }
  }
  return removals;
}

/** Whether those who say that a session was removed may say so for all chains that have it. */
export function isRemovedFrom(owners: ReadonlySet<string>, removal: Removal | undefined): removal is Removal {
  // Of many owners, the first that it is not said for ends this.
  return removal !== undefined && (removal.isTrusted || [...owners].every((owner) => removal.chains.has(owner)));
}
