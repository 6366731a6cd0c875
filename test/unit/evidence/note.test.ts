import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import {
  checkpointLine,
  checkpointText,
  checkpointWords,
  parseCheckpoint,
  parseCheckpointLine,
  signCheckpoint,
} from '../../../src/evidence/checkpoint.ts';
import { logIdIn, logIdOf, originOf } from '../../../src/evidence/logId.ts';
import {
  checkNote,
  cosignerOf,
  keyTypes,
  parseNote,
  parseVkey,
  publicKeyOf,
  signerOf,
  verifierKey,
} from '../../../src/evidence/note.ts';
import { expected, linesOf, vector } from './vectors.ts';

const seed = Buffer.from(expected.seed, 'hex');
const key = parseVkey(expected.vkey) ?? assert.fail();
const witness = parseVkey(expected.witness) ?? assert.fail();

describe('the signed notes of the evidence', () => {
  it('are by the key and under the name of the vectors', () => {
    assert.equal(publicKeyOf(seed).toString('hex'), expected.publicKey);
    assert.equal(originOf(publicKeyOf(seed)), expected.origin);
    assert.equal(
      originOf(publicKeyOf(seed), 'corp.example.com/audit'),
      expected.origin.replace('svc-coder', 'corp.example.com/audit'),
    );
    assert.equal(logIdIn(expected.origin), logIdOf(publicKeyOf(seed)));
    assert.deepEqual([key.name, key.id, key.type], [expected.origin, expected.keyId, keyTypes.ed25519]);
    assert.equal(signerOf(expected.origin, seed).vkey, expected.vkey);
  });

  it('verify the example of the specification', () => {
    const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
    const note =
      'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
    const [foo, parsed] = [parseVkey(vkey) ?? assert.fail(), parseNote(note) ?? assert.fail()];
    assert.equal(checkNote(parsed, foo), 'valid');
    assert.equal(checkNote({ ...parsed, text: 'This is another message.\n' }, foo), 'invalid');
    assert.equal(checkNote(parsed, key), 'unknown');
  });

  it('sign the checkpoints of the sample log, byte for byte, and verify them', () => {
    const lines = linesOf('ledger-').filter((line) => line.includes('"kind":"checkpoint"'));
    assert.equal(lines.length, 6);
    for (const line of lines) {
      const { ledger, note } = parseCheckpointLine(line) ?? assert.fail(line);
      const checkpoint = parseCheckpoint(note) ?? assert.fail(note);
      assert.equal(checkNote(checkpoint.note, key), 'valid');
      assert.equal(signCheckpoint(checkpoint, signerOf(expected.origin, seed)), note);
      assert.equal(checkpointLine(ledger, note), line);
      assert.equal(checkpoint.root.toString('base64'), expected.ledgerRoots[checkpoint.size - 1]);
    }
    const last = parseCheckpoint(vector('checkpoint')) ?? assert.fail();
    assert.equal(checkpointWords(last), `${expected.origin} 7 Ycw5KrQY+Z7QfcR8qf2IM7GotYbgH7fRQjbI5+9Bbi4=`);
  });

  it('are cosigned as in the vectors', () => {
    const cosigned = parseCheckpoint(vector('checkpoint-witnessed')) ?? assert.fail();
    assert.equal(checkNote(cosigned.note, witness), 'valid');
    const time = Number(cosigned.note.signatures[1]?.bytes.readBigUInt64BE(0));
    const again = cosignerOf(witness.name, Buffer.from(expected.witnessSeed, 'hex'), () => time);
    assert.equal(again.vkey, expected.witness);
    assert.equal(vector('checkpoint') + again.sign(checkpointText(cosigned)), vector('checkpoint-witnessed'));
    // A cosigner that signs another time, or a signature of the log itself, is no cosignature.
    const other = cosigned.note.signatures.map(({ bytes, ...by }) => ({ ...by, bytes: Buffer.from(bytes) }));
    other[1]?.bytes.writeUInt8(1, 7);
    assert.equal(checkNote({ ...cosigned.note, signatures: other }, witness), 'invalid');
    assert.equal(checkNote({ ...cosigned.note, signatures: cosigned.note.signatures.slice(0, 1) }, witness), 'unknown');
    assert.equal(checkNote({ ...cosigned.note, signatures: [] }, witness), 'unknown');
  });

  it('agree with OpenSSL', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.string(), (random, text) => {
        const publicKey = publicKeyOf(random);
        const signer = signerOf('example.com/a', random);
        const note = parseNote(`${text.replace(/\p{Cc}/gu, '')}x\n\n${signer.sign('x\n')}`) ?? assert.fail();
        const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
        const judge = createPublicKey({ key: jwk, format: 'jwk' });
        const [signature] = note.signatures;
        assert.ok(signature && verify(null, Buffer.from('x\n'), judge, signature.bytes));
        assert.equal(checkNote({ ...note, text: 'x\n' }, parseVkey(signer.vkey) ?? assert.fail()), 'valid');
        const secret = createPrivateKey({
          key: { ...jwk, d: Buffer.from(random).toString('base64url') },
          format: 'jwk',
        });
        assert.ok(createPublicKey(secret).equals(judge));
      }),
      { numRuns: 30 },
    );
  });

  it('are refused in any other form', () => {
    const note = vector('checkpoint');
    const bad: Readonly<Record<string, string>> = {
      'no end of line': note.slice(0, -1),
      'no signature': note.slice(0, note.indexOf('\n\n') + 2),
      'an extension line': note.replace('\n\n', '\nextension\n\n'),
      'an empty line more': note.replace('\n\n', '\n\n\n'),
      'a size with a zero': note.replace('\n7\n', '\n07\n'),
      'a size that is none': note.replace('\n7\n', '\n7.0\n'),
      'a carriage return': note.replaceAll('\n', '\r\n'),
      NUL: note.replace('svc', '\0'),
      'a short root': note.replace('Ycw5', ''),
      'another spelling of a root': note.replace('bi4=', 'bi5='),
      'a root without padding': note.replace('bi4=', 'bi4'),
      'another spelling of a signature': note.replace('DxigI=', 'DxigJ='),
      'a line without a dash': note.replace('\u2014', '-'),
      'text after the signatures': `${note}x\n`,
      'too many signatures': note + (note.split('\n')[4] ?? '').concat('\n').repeat(64),
    };
    assert.ok(parseCheckpoint(note));
    for (const [what, text] of Object.entries(bad)) assert.equal(parseCheckpoint(text), null, what);
  });

  it('are lines of a ledger only with exactly these fields', () => {
    const line = linesOf('ledger-').at(-1) ?? '';
    assert.ok(parseCheckpointLine(line));
    const bad = [
      line.replace('"v":2', '"v":3'),
      line.replace('}', ',"x":1}'),
      line.replace('"kind":"checkpoint"', '"kind":"checkpoint","kind":"checkpoint"'),
      line.replace('{', '{ '),
      line.replace('\\u2014', '\u2014'),
      line.replace('\\u2014', '\\u2014'.toUpperCase()),
      line.replace(/"ledger":"[^"]*"/, '"ledger":"x"'),
      line.replace('\\n7', '\\u000a7'),
      ...['[]', '1', 'null', '{}', '', '{"note":"'],
    ];
    for (const changed of bad) assert.equal(parseCheckpointLine(changed), null, changed);
  });

  it('have keys whose id, name, type and length fit', () => {
    for (const type of Object.values(keyTypes))
      assert.equal(parseVkey(verifierKey('a', Buffer.alloc(32, 1), type).vkey)?.type, type);
    const bad = [
      '',
      expected.vkey.replace('de9fcbe4', 'de9fcbe5'),
      expected.vkey.replace('de9fcbe4', 'DE9FCBE4'),
      expected.vkey.replace('svc-coder', 'svc coder'),
      expected.vkey.replace('svc-coder', 'svc-coders'),
      `${expected.vkey} `,
      `${expected.vkey}+`,
      verifierKey('a', Buffer.alloc(31)).vkey,
      verifierKey('a b', Buffer.alloc(32)).vkey,
      verifierKey('a\u2003b', Buffer.alloc(32)).vkey,
      verifierKey('', Buffer.alloc(32)).vkey,
      verifierKey('a', Buffer.alloc(32), 2 as never).vkey,
      // ML-DSA-44: no witness here signs with it.
      verifierKey('a', Buffer.alloc(1312), 6 as never).vkey,
    ];
    for (const vkey of bad) assert.equal(parseVkey(vkey), null, vkey);
    assert.throws(() => publicKeyOf(Buffer.alloc(31)), RangeError);
  });
});
