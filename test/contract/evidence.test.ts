import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseCheckpoint, signCheckpoint } from '../../src/evidence/checkpoint.ts';
import { leafOf } from '../../src/evidence/line.ts';
import { originOf } from '../../src/evidence/logId.ts';
import { checkNote, parseNote, parseVkey, publicKeyOf, signerOf } from '../../src/evidence/note.ts';
import { inclusionProof, rootOf, verifyInclusion } from '../../src/evidence/tree.ts';
import { agrees, loadSigstore } from '../tools/sigstore.ts';
import { buildVerifyProgram, runProgram } from '../tools/verifyProgram.ts';
import { NotedLog } from '../unit/evidence/provenance/notedLog.ts';

const vectors = 'test/fixtures/evidence';
const installed = join(import.meta.dirname, 'node_modules');

describe('verify.mjs in the oldest Node that it supports, and in the next ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-verify-'));
  let program = '';
  before(async () => {
    program = await buildVerifyProgram(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const versions = {
    'v20.': join(installed, `node20-linux-${process.arch}`, 'bin/node'),
    'v22.': join(installed, `node-linux-${process.arch}`, 'bin/node'),
    'v24.': process.execPath,
  };
  for (const [version, node] of Object.entries(versions)) {
    it(`Node ${version.slice(1)}x: compares the notes of a repository, and cosigns`, async () => {
      assert.ok(readVersion(node).startsWith(version));
      using noted = new NotedLog();
      await noted.fill();
      const found = runProgram(program, noted.args, node);
      assert.deepEqual([found.code, found.error], [0, '']);
      assert.match(found.out, /\n11 lines of accepted code proven, in 1 edit of 1 commit\n/);
      const { out: secret, code } = runProgram(program, ['cosign', '--new-key', 'witness.example.com/w'], node);
      assert.equal(code, 0);
      const [key, state] = [join(noted.log, 'key'), join(noted.log, 'state')];
      writeFileSync(key, secret, { mode: 0o600 });
      const cosign = ['cosign', '--trusted-keys', noted.policy, '--key', key, '--state', state];
      for (let times = 0; times < 2; times += 1) {
        const cosigned = runProgram(program, [...cosign, join(noted.log, 'audit')], node);
        assert.deepEqual([cosigned.code, cosigned.error], [0, '']);
      }
      assert.ok(readFileSync(state, 'latin1').startsWith(noted.made.words()));
    });

    it(`Node ${version.slice(1)}x: verifies, proves and checks as the newest does`, () => {
      assert.ok(existsSync(node), node);
      assert.ok(readVersion(node).startsWith(version));
      const witnessed = ['--trusted-keys', `${vectors}/policy.txt`, '--checkpoint', `${vectors}/checkpoint-witnessed`];
      const record = '00000001-0000-4000-8000-000000000000:6';
      for (const args of [
        ['--json', ...witnessed, `${vectors}/log`],
        ['--json', '--collected', `${vectors}/log`],
        ['--json', '--seen', `${vectors}/record.jsonl`, `${vectors}/log`],
        ['prove', record, `${vectors}/log`],
        ['check', '--trusted-keys', `${vectors}/policy.txt`, `${vectors}/record.tlog-proof`, `${vectors}/record.jsonl`],
      ]) {
        const found = runProgram(program, args, node);
        assert.deepEqual(found, runProgram(program, args), args.join(' '));
        assert.ok(found.code !== null);
      }
      const { code, out } = runProgram(program, ['prove', record, `${vectors}/log`], node);
      const proof = readFileSync(`${vectors}/record.tlog-proof`, 'latin1');
      assert.deepEqual([code, out], [0, proof]);
      assert.equal(runProgram(program, [...witnessed, `${vectors}/log`], node).code, 0);
    });
  }
});

function readVersion(node: string): string {
  return runProgram('--version', [], node).out;
}

describe('the evidence as sigstore judges it', () => {
  const sigstore = loadSigstore();

  it('takes the same proofs, and refuses the same', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 60, size: 'max' });
    const change = fc.constantFrom('none', 'bit', 'drop', 'index');
    fc.assert(
      fc.property(bodies, fc.nat(), fc.nat(), change, (all, first, at, what) => {
        const leaves = all.map(leafOf);
        let index = first % all.length;
        const body = Buffer.from(all[index] as Uint8Array);
        const proof = inclusionProof(leaves, index).map((hash) => Buffer.from(hash));
        const hash = proof[at % Math.max(1, proof.length)];
        if (what === 'bit') hash?.writeUInt8((hash[0] as number) ^ 1);
        else if (what === 'drop') proof.splice(at % Math.max(1, proof.length), 1);
        else if (what === 'index') index = at % all.length;
        const root = rootOf(leaves);
        const entry = { inclusionProof: { logIndex: String(index), hashes: proof }, canonicalizedBody: body };
        const theirs = agrees(() =>
          sigstore.verifyMerkleInclusion(entry, { logSize: BigInt(all.length), logHash: root }),
        );
        assert.equal(verifyInclusion({ leaf: leafOf(body), index, size: all.length, proof, root }), theirs);
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes the same checkpoints, and refuses the same', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(hash, hash, fc.nat(1_000_000), fc.nat(), fc.boolean(), (seed, root, size, at, isChanged) => {
        const publicKey = publicKeyOf(seed);
        const origin = originOf(publicKey);
        const signer = signerOf(origin, seed);
        const note = signCheckpoint({ origin, size, root: Buffer.from(root) }, signer);
        const [text = ''] = note.split('\n\n');
        const place = at % text.length;
        const other = text[place] === '7' ? '8' : '7';
        const envelope = isChanged ? note.slice(0, place) + other + note.slice(place + 1) : note;
        const key = parseVkey(signer.vkey) ?? assert.fail();
        const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
        const log = {
          logID: Buffer.from(key.id, 'hex'),
          baseURL: origin,
          publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
        };
        const theirs = agrees(() => sigstore.verifyCheckpoint({ inclusionProof: { checkpoint: { envelope } } }, [log]));
        const parsed = parseNote(envelope);
        assert.equal(parsed !== null && checkNote(parsed, key) === 'valid', theirs);
        assert.equal(theirs, !isChanged);
        if (!isChanged) assert.equal(parseCheckpoint(envelope)?.size, size);
      }),
      { numRuns: 300 },
    );
  });
});
