import { join } from 'node:path';
import { frameAt } from '../../../evidence/line.ts';
import { append } from '../../../util/append.ts';
import type { Exported } from '../auditExport.ts';
import { isSessionFile, ledgerFiles, listAuditFiles } from '../auditFiles.ts';
import { ifTooLarge, maxLedgerBytes, readAll } from '../auditRead.ts';
import { followedLedgers } from '../ledger/followed.ts';
import type { LedgerEnd } from '../ledger/ledger.ts';
import type { PresentSessions } from '../verifyLog.ts';
import { bundleReadme } from './readme.ts';
import { type TarEntry, tarGz } from './tar.ts';

interface BundleParts {
  readonly folder: string;
  /** The signed state of the ledger. */
  readonly end: LedgerEnd;
  /** The sessions that existed when the ledger was signed. */
  readonly present: PresentSessions;
  /** Returns the program verify.mjs. */
  readonly verifier: () => Promise<Uint8Array>;
  readonly now: Date;
}

/**
 * Everything that is needed to verify the log without a secret: the files byte for byte, the last checkpoint,
 * the keys, and the program.
 */
export async function makeBundle(parts: BundleParts): Promise<Exported<Buffer>> {
  let records = 0;
  const counted = async function* (): AsyncGenerator<TarEntry> {
    for await (const entry of bundleEntries(parts)) {
      if (isSessionFile(entry.name.replace(/^audit\//, ''))) records += recordsIn(entry.bytes);
      yield entry;
    }
  };
  const content = await tarGz(counted(), parts.now);
  return { content, records };
}

/** The number of lines that verification treats as records: complete, and in the form of a session's line. */
function recordsIn(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [count, start] = [0, 0];
  for (let end = buffer.indexOf(0x0a); end >= 0; end = buffer.indexOf(0x0a, start)) {
    if (frameAt(buffer, start, end)?.of === 'session') count += 1;
    start = end + 1;
  }
  return count;
}

/**
 * The files of the bundle, read one after another. Other windows of VS Code may write in the meantime: the ledgers are read first,
 * so that the session files contain every line that the ledgers sign.
 */
export async function* bundleEntries({ folder, end, present, verifier }: BundleParts): AsyncGenerator<TarEntry> {
  const text = (name: string, content: string): TarEntry => ({ name, bytes: Buffer.from(content) });
  const before = (await followedLedgers(folder, end.origin)).slice(1);
  yield text('README.txt', bundleReadme({ ...end, firstKey: before.at(-1)?.vkey ?? end.vkey }));
  yield { name: 'verify.mjs', bytes: await verifier() };
  const keys = [end, ...before].map(({ vkey }) => `log ${vkey}\n`);
  yield text('trusted-keys.txt', `${keys.join('')}quorum none\n`);
  yield text('checkpoint', end.note);
  const read = async (name: string): Promise<readonly TarEntry[]> => {
    const bytes = await readAll(join(folder, name), maxLedgerBytes).catch(ifTooLarge);
    return bytes === null ? [] : [{ name: `audit/${name}`, bytes }];
  };
  const ledgers: TarEntry[] = [];
  for (const name of await ledgerFiles(folder)) append(ledgers, await read(name));
  // A session that began later is not in a ledger yet, and would look as if it had never been signed.
  const isPresent = (session: string): boolean =>
    present === null ||
    present.has(session) ||
    ledgers.some(({ bytes }) => Buffer.from(bytes).includes(`"session":"${session}"`));
  for (const { name, session } of await listAuditFiles(folder)) if (isPresent(session)) yield* await read(name);
  yield* ledgers;
}
