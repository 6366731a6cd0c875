import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ledgerFiles, listAuditFiles } from '../auditFiles.ts';
import { adoptedFile } from '../hmac/adoption.ts';
import { followedLedgers } from '../ledger/followed.ts';
import type { LedgerEnd } from '../ledger/ledger.ts';
import { bundleReadme } from './readme.ts';
import { type TarEntry, tarGz } from './tar.ts';

export interface BundleParts {
  readonly folder: string;
  /** How far the ledger is signed. */
  readonly end: LedgerEnd;
  /** The program verify.mjs. */
  readonly verifier: () => Promise<Uint8Array>;
  readonly now: Date;
}

/**
 * Everything that is needed to verify the log without a secret: the files byte for byte, the last checkpoint,
 * the keys, and the program.
 */
export function makeBundle(parts: BundleParts): Promise<Buffer> {
  return tarGz(entriesOf(parts), parts.now);
}

async function* entriesOf({ folder, end, verifier }: BundleParts): AsyncGenerator<TarEntry> {
  const text = (name: string, content: string): TarEntry => ({ name, bytes: Buffer.from(content) });
  yield text('README.txt', bundleReadme(end));
  yield { name: 'verify.mjs', bytes: await verifier() };
  const before = (await followedLedgers(folder, end.origin)).slice(1);
  const keys = [end, ...before].map(({ vkey }) => `log ${vkey}\n`);
  yield text('policy.txt', `${keys.join('')}quorum none\n`);
  yield text('checkpoint', end.note);
  for (const name of await namesIn(folder)) {
    const bytes = await readFile(join(folder, name)).catch(absent);
    if (bytes !== null) yield { name: `audit/${name}`, bytes };
  }
}

/** The ledgers last: what they sign is then in the files that were read before them. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const sessions = (await listAuditFiles(folder)).map(({ name }) => name);
  return [...sessions, adoptedFile, ...(await ledgerFiles(folder))];
}

/** A file that another window has removed. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
