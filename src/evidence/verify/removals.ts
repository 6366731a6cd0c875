import type { Chains } from './chains.ts';
import type { VerifiedLedger } from './ledger.ts';

/** A session whose files were removed on purpose, according to signed lines. */
export interface Removal {
  readonly why: string;
  readonly isTrusted: boolean;
  /** The chains of the ledgers with these lines. */
  readonly chains: Set<string>;
}

/** The removals by session. */
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

/** Whether a removal is valid for all chains that have the session: it is trusted, or each chain has recorded it. */
export function isRemovedFrom(owners: ReadonlySet<string>, removal: Removal | undefined): removal is Removal {
  return removal !== undefined && (removal.isTrusted || [...owners].every((owner) => removal.chains.has(owner)));
}
