import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  firstPrev,
  foundPrev,
  frameAt,
  frameOf,
  isCanonical,
  isOrigin,
  leafOf,
  lineOf,
  maxLineBytes,
  timeOf,
} from '../../../src/evidence/line.ts';
import { expected, linesOf } from './vectors.ts';

const session = '00000001-0000-4000-8000-000000000000';
const valid = {
  ...{ v: 2, session, seq: 1, time: '2026-11-02T08:00:01.700Z', kind: 'key-set' },
  ...{ origin: 'https://svc.example.com', prev: firstPrev },
};
const frame = (line: string) => frameOf(Buffer.from(line, 'latin1'));
const written = (value: object) => lineOf(value) ?? assert.fail('too long');

describe('the lines of the evidence', () => {
  it('are those of the sample log, each with its frame, and linked by their leaves', () => {
    for (const start of ['20261102T080000Z', '20261102T080011Z', 'ledger-']) {
      const lines = linesOf(start).filter((line) => !line.includes('"kind":"checkpoint"'));
      let prev = firstPrev;
      for (const [index, line] of lines.entries()) {
        const found = frame(line) ?? assert.fail(line);
        const { time, kind } = JSON.parse(line) as { time: string; kind: string };
        assert.deepEqual({ ...found }, { ...found, seq: index + 1, time, kind, prev });
        assert.ok(isCanonical(line, JSON.parse(line)));
        prev = leafOf(line).toString('hex');
      }
    }
    assert.equal(leafOf(linesOf('2026')[0] ?? '').toString('hex'), expected.leafOfFirstLine);
  });

  it('are printable ASCII alone, and the same JSON', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\ud800', '\x7f'),
    );
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const line = lineOf(value);
        if (line === null) return;
        assert.match(line, /^[\x20-\x7e]*$/);
        assert.deepEqual(Object.entries(JSON.parse(line)), Object.entries(value));
        assert.equal(JSON.stringify(JSON.parse(line)), JSON.stringify(value));
        assert.ok(isCanonical(line, JSON.parse(line)));
      }),
    );
    assert.equal(lineOf({ a: 'ä\u007f😀' }), String.raw`{"a":"\u00e4\u007f\ud83d\ude00"}`);
  });

  it('have 8,000 bytes at most', () => {
    const length = maxLineBytes - JSON.stringify({ a: '' }).length;
    assert.equal(lineOf({ a: 'x'.repeat(length) })?.length, maxLineBytes);
    assert.equal(lineOf({ a: 'x'.repeat(length + 1) }), null);
    assert.equal(lineOf({ a: '\u00e4'.repeat(length / 6 + 1) }), null);
    assert.equal(frame(JSON.stringify({ ...valid, kind: 'a', x: 'x'.repeat(9_000), prev: firstPrev })), null);
  });

  it('have no frame in any other form', () => {
    const line = written(valid);
    const changes: Readonly<Record<string, string>> = {
      'another version': line.replace('"v":2', '"v":3'),
      'a space': line.replace('{', '{ '),
      'a space at the end': `${line} `,
      'a carriage return': `${line}\r`,
      NUL: line.replace('svc', '\0vc'),
      'U+007F': line.replace('svc', '\x7fvc'),
      Unicode: line.replace('svc', '\xe4vc'),
      'the number 0': line.replace('"seq":1', '"seq":0'),
      'a number with a zero': line.replace('"seq":1', '"seq":01'),
      'a number past a million': line.replace('"seq":1', '"seq":1000001'),
      'a negative number': line.replace('"seq":1', '"seq":-1'),
      'another spelling of a number': line.replace('"seq":1', '"seq":1e0'),
      'a number as text': line.replace('"seq":1', '"seq":"1"'),
      'an upper-case hash': line.replace(firstPrev, 'A'.repeat(64)),
      'a short hash': line.replace(firstPrev, '0'.repeat(63)),
      'no hash': line.replace(/,"prev.*/, '}'),
      'a session that is no UUID': line.replace(session, `../../etc/passwd${'x'.repeat(20)}`),
      'an upper-case session': line.replace(session, session.replaceAll('0', 'A')),
      'a time in another zone': line.replace('.700Z', '+01:00'),
      'fields in another order': written({ ...valid, v: 2, kind: undefined, seq: undefined, k: 1 }),
      'an escape in a name': line.replace('"kind":"key-set"', String.raw`"kind":"key\u002dset"`),
      'half a line': line.slice(0, -1),
      nothing: '',
    };
    assert.ok(frame(line));
    for (const [what, changed] of Object.entries(changes)) assert.equal(frame(changed), null, what);
  });

  it('a line of a ledger has an origin that needs no escape', () => {
    const id = '59141f437a54051dce253afae946b5b4';
    for (const name of [`svc-coder/${id}`, `corp.example.com/audit/${id}`, `a/${id}`]) {
      assert.ok(isOrigin(name), name);
      assert.equal(
        frame(written({ v: 2, ledger: name, seq: 7, time: valid.time, kind: 'closed', prev: firstPrev }))?.name,
        name,
      );
    }
    const bad = [
      id,
      `/${id}`,
      `a b/${id}`,
      `a+b/${id}`,
      `a"/${id}`,
      `a\\/${id}`,
      `ä/${id}`,
      `a/${id}0`,
      `${'a'.repeat(160)}/${id}`,
    ];
    for (const name of bad) assert.equal(isOrigin(name), false, name);
  });

  it('have the frame that their grammar gives them, wherever they are in a buffer', () => {
    const start = String.raw`^\{"v":2,"(?:session":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|ledger":"([!#-*,-[\]-~]+\/[0-9a-f]{32}))"`;
    const rest = String.raw`,"seq":([1-9]\d{0,6}),"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","kind":"([a-z][a-z0-9-]{0,39})"(?:.*),"prev":"([0-9a-f]{64})"\}$`;
    const grammar = new RegExp(start + rest, 's');
    const expectedOf = (line: string) => {
      const [, id, origin, seq = '', time, kind, prev] = grammar.exec(line) ?? [];
      const name = id ?? origin;
      const isFrame = name !== undefined && name.length <= 160 && Number(seq) <= 1_000_000;
      if (!isFrame || line.length > maxLineBytes || !/^[\x20-\x7e]*$/.test(line)) return null;
      return { of: id === undefined ? 'ledger' : 'session', name, seq: Number(seq), time, kind, prev };
    };
    const samples = ['20261102T080000Z', '20261102T080011Z', 'ledger-'].flatMap((name) => linesOf(name));
    const piece = fc.oneof(
      fc.constantFrom('"', '","seq":', '0', '1000001', 'Z', '-', 'kind', '},', '\\', '\n', '\x7f', 'a', 'A', '/', ','),
      fc.string({ maxLength: 3 }),
    );
    let frames = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.nat(400),
        fc.nat(8),
        piece,
        fc.nat(40),
        (line, at, cut, put, before) => {
          const [from, end] =
            at > 200 ? [line.length - (at - 200), line.length] : [Math.min(at, line.length), line.length];
          const changed = line.slice(0, from) + put + line.slice(Math.min(end, from + cut));
          const bytes = Buffer.from(`${'}'.repeat(before)}${changed}"}${line}`, 'latin1');
          const found = frameOf(bytes.subarray(before, before + Buffer.byteLength(changed, 'latin1')));
          assert.deepEqual(
            found === null ? null : { ...found },
            expectedOf(bytes.toString('latin1', before, before + changed.length)),
          );
          if (found === null) return;
          frames += 1;
          const places = frameAt(bytes, before, before + changed.length) ?? assert.fail();
          assert.deepEqual(timeOf(bytes, places), Date.parse(found.time));
          assert.equal(foundPrev.toString('hex'), found.prev);
        },
      ),
      { numRuns: 5_000 },
    );
    assert.ok(frames > 1_000, String(frames));
  });

  it('have any frame, or none, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), (bytes, at) => {
        const start = Buffer.from(written(valid)).subarray(0, at);
        frameOf(Buffer.concat([start, bytes]));
      }),
    );
  });
});
