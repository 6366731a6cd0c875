import type { Policy } from '../policy.ts';

/** A ledger with the links to its neighbors that it claims. */
interface ChainLink {
  readonly origin: string;
  readonly vkey: string | null;
  /** The predecessor that the ledger names. */
  readonly follows: string | null;
  /** The key of the successor that the ledger names. */
  readonly next: string | null;
}

/**
 * Determines the ledgers of each log, and the trusted ones. Two ledgers are linked only if both name each other: the older one
 * in its last line, the newer one in its first. So a key that anyone created cannot join the log of another key.
 */
export class Chains {
  /** The first ledger of the chain, by the origin of each ledger. */
  readonly #firsts = new Map<string, string>();
  readonly #trusted = new Set<string>();

  constructor(ledgers: readonly ChainLink[], policy: Policy | null) {
    const byOrigin = new Map(ledgers.map((ledger) => [ledger.origin, ledger]));
    const after = new Map<string, ChainLink>();
    const firsts: ChainLink[] = [];
    for (const ledger of ledgers) {
      const before = byOrigin.get(ledger.follows ?? '');
      if (before !== undefined && ledger.vkey !== null && before.next === ledger.vkey) after.set(before.origin, ledger);
      else firsts.push(ledger);
    }
    for (const first of firsts) {
      let isTrusted = false;
      for (let at: ChainLink | undefined = first; at !== undefined; at = after.get(at.origin)) {
        this.#firsts.set(at.origin, first.origin);
        // Trust in a key extends to its successors.
        isTrusted ||= at.vkey !== null && policy?.logs.get(at.origin)?.vkey === at.vkey;
        if (isTrusted) this.#trusted.add(at.origin);
      }
    }
  }

  /** Whether the policy names the key of a ledger, or an earlier key in its chain. */
  isTrusted(origin: string): boolean {
    return this.#trusted.has(origin);
  }

  /** The name of the chain of a ledger. */
  of(origin: string): string {
    return this.#firsts.get(origin) ?? origin;
  }
}
