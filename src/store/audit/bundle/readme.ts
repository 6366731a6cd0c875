import type { LedgerEnd } from '../ledger/ledger.ts';

interface ReadmeParts extends Pick<LedgerEnd, 'origin' | 'size'> {
  /** The key of the first ledger: trust in a key extends to the keys that follow it, not to earlier ones. */
  readonly firstKey: string;
}

/** README.txt of a bundle. It is not translated, because auditors in any country read it. */
export function bundleReadme({ origin, size, firstKey }: ReadmeParts): string {
  return `Evidence of Svc Coder
=====================

This bundle holds the audit log of one machine, and what is needed to verify it without any secret.

BEFORE YOU TRUST IT
  1. Take verify.mjs from a VSIX of Svc Coder that you trust, and compare its SHA-256 with the copy in this bundle.
  2. Take the key from where it was enrolled, not from this bundle, and put it into a file of trusted keys of your own.
     This bundle says that its first key is:

       log ${firstKey}
       quorum none

     The keys that followed it are named and signed in the log, so they need no line of their own.
     What comes in the bundle (verify.mjs, trusted-keys.txt, checkpoint) is only as good as who made the bundle.

VERIFY
  You need Node 20.12 or newer. Nothing is installed, and no network is used.

    node verify.mjs --trusted-keys YOUR-FILE --checkpoint checkpoint audit

  Exit code 0: intact, and signed by a trusted key. 1: broken; each break is reported with its file and line.
  2: the input could not be used. 3: intact, but not signed by a trusted key.

  If you have kept the file "checkpoint" of an earlier bundle, pass it as well: only this detects that the owner of the key
  has rewritten the log.

    node verify.mjs --trusted-keys YOUR-FILE --checkpoint checkpoint --checkpoint EARLIER-FILE audit

WHAT IS IN IT
  audit/            the files, byte for byte: session logs, and the ledgers that sign them
  checkpoint        the last signed state of the ledger ${origin}: ${size} lines. Keep it
  trusted-keys.txt  the keys that this machine claims as its own
  verify.mjs        the program

WHAT IT PROVES
  That no line was changed, removed, or added without the key after it was signed. With a checkpoint that another party
  kept, the same holds for the owner of the key.

WHAT IT DOES NOT PROVE
  Lines that were not signed yet (at most 256 lines or 5 minutes). Who used the machine. When exactly something happened:
  the times are those of the machine. What the service did, and requests of other programs.
`;
}
