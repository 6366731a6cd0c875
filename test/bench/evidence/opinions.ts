import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint } from '../../../src/evidence/checkpoint.ts';
import { leafOf } from '../../../src/evidence/line.ts';
import { checkNote, parseNote, parseVkey } from '../../../src/evidence/note.ts';
import { inclusionProof, verifyInclusion } from '../../../src/evidence/tree.ts';
import { type EvidenceLog, sampleLog } from '../../tools/evidenceLog.ts';
import { agrees, loadSigstore, type Sigstore } from '../../tools/sigstore.ts';
import { judge } from '../../unit/store/evidenceJudge.ts';
import type { Row, RowOptions } from './row.ts';

/** How often another one was asked, and how often it said what we say; null if it is not installed. */
type Opinion = Readonly<Record<'asked' | 'agreed', number>> | null;

/** A signed log, and for each question the same with one byte changed, which nobody may take. */
export async function opinionsRow({ place }: RowOptions): Promise<Row> {
  const log = sampleLog('opinions', { sessions: 3, records: 40 });
  const notes = log.lines
    .filter((line) => line.includes('"kind":"checkpoint"'))
    .map((line) => (JSON.parse(line) as { readonly note: string }).note)
    .flatMap((note) => [note, note.replace('\n', '\n1')]);
  const opinions = {
    '@sigstore/verify': sigstoreOf(log, notes),
    "Node's crypto": judgeOf(log, place),
    'the openssl command': opensslOf(log, notes, place),
  };
  const said = Object.entries(opinions).map(([name, opinion]) =>
    opinion === null ? `${name}: not installed` : `${name} ${opinion.agreed} of ${opinion.asked}`,
  );
  return {
    bar: 'second opinions agree: three, on a log as it is and changed',
    measured: said.join('; '),
    isMet: Object.values(opinions).every((opinion) => opinion !== null && opinion.agreed === opinion.asked),
  };
}

function count(answers: readonly (readonly [own: boolean, other: boolean])[]): Opinion {
  return { asked: answers.length, agreed: answers.filter(([own, other]) => own === other).length };
}

function isOurs(log: EvidenceLog, note: string): boolean {
  const [parsed, key] = [parseNote(note), parseVkey(log.signer.vkey)];
  return parsed !== null && key !== null && checkNote(parsed, key) === 'valid';
}

function publicKeyOf(log: EvidenceLog) {
  const x = (parseVkey(log.signer.vkey)?.publicKey ?? Buffer.alloc(32)).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Checkpoints, and a proof for each line of a session. */
function sigstoreOf(log: EvidenceLog, notes: readonly string[]): Opinion {
  let sigstore: Sigstore;
  try {
    sigstore = loadSigstore();
  } catch {
    return null;
  }
  const by = {
    logID: Buffer.from(parseVkey(log.signer.vkey)?.id ?? '', 'hex'),
    ...{ baseURL: log.origin, publicKey: publicKeyOf(log) },
  };
  const signed = notes.map((envelope) => {
    const theirs = agrees(() => sigstore.verifyCheckpoint({ inclusionProof: { checkpoint: { envelope } } }, [by]));
    return [isOurs(log, envelope), theirs] as const;
  });
  const content = log.lines.filter((line) => !line.includes('"kind":"checkpoint"'));
  const leaves = content.map(leafOf);
  const { root, size } = parseCheckpoint(log.note) ?? { root: Buffer.alloc(32), size: 0 };
  const proven = content.flatMap((line, index) => {
    const proof = inclusionProof(leaves, index).map((hash) => Buffer.from(hash));
    return [line, line.replace('"v":2', '"v":3')].map((text) => {
      const body = Buffer.from(text);
      const entry = { inclusionProof: { logIndex: String(index), hashes: proof }, canonicalizedBody: body };
      const theirs = agrees(() =>
        sigstore.verifyMerkleInclusion(entry, { logSize: BigInt(size), logHash: Buffer.from(root) }),
      );
      return [verifyInclusion({ leaf: leafOf(body), index, size, proof, root: Buffer.from(root) }), theirs] as const;
    });
  });
  return count([...signed, ...proven]);
}

/** The judge of the unit tests: no part of src/evidence is in it. */
function judgeOf(log: EvidenceLog, place: string): Opinion {
  const take = (name: string, change: (line: string) => string): boolean => {
    const folder = join(place, name);
    mkdirSync(folder);
    for (const [file, lines] of log.files())
      writeFileSync(join(folder, file), lines.map((line) => `${change(line)}\n`).join(''));
    const { faults, unsigned } = judge(folder);
    return faults.length === 0 && unsigned === 0;
  };
  return count([
    [true, take('as it is', (line) => line)],
    [false, take('changed', (line) => line.replace('"status":200', '"status":500'))],
  ]);
}

function opensslOf(log: EvidenceLog, notes: readonly string[], place: string): Opinion {
  const files = { key: join(place, 'key.pem'), text: join(place, 'text'), signature: join(place, 'signature') };
  writeFileSync(files.key, publicKeyOf(log).export({ format: 'pem', type: 'spki' }));
  if (spawnSync('openssl', ['version']).status !== 0) return null;
  return count(
    notes.map((note) => {
      const { text = '', signatures = [] } = parseNote(note) ?? {};
      writeFileSync(files.text, text);
      writeFileSync(files.signature, signatures[0]?.bytes ?? '');
      const args = ['pkeyutl', '-verify', '-pubin', '-inkey', files.key, '-rawin', '-in', files.text];
      return [isOurs(log, note), spawnSync('openssl', [...args, '-sigfile', files.signature]).status === 0] as const;
    }),
  );
}
