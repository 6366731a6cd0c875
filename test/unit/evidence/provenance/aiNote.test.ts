import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AiNote,
  canName,
  maxNoteBytes,
  parseNote,
  writeNote,
} from '../../../../src/evidence/provenance/aiNote.ts';
import { committedEdits } from '../../../../src/evidence/provenance/committed.ts';
import { editsIn, hasOurs, sessionOf, strayKeys, withEdits } from '../../../../src/evidence/provenance/svcEdits.ts';
import { expected } from '../vectors.ts';
import { accepted, thirteen, uuidOf, wholeFile } from './samples.ts';

const request = '9d1f6a52-0000-4000-8000-000000000001';
const edit = '0baaacb9-1ff7-43f9-8b52-253098ccc2c9';

/** The note of a commit with an edit, and the text of it. */
async function sample(path = 'src/pay.ts', note: AiNote | null = null) {
  const edits = await committedEdits([accepted(edit, thirteen, request)], [wholeFile(path, ['// first', ...thirteen])]);
  return { edits, text: textOf(withEdits(note, '972ab6f5', edits)) };
}

function textOf(note: AiNote): string {
  const text = writeNote(note);
  assert.ok(text !== null);
  return text;
}

function read(text: string): AiNote {
  const found = parseNote(Buffer.from(text));
  assert.ok(found.ok, text);
  return found.note;
}

/** A note as Git AI writes it. */
const foreign = `src/pay.ts
  c9883b05a2487d6d 1,40-44
"my file (copy).md"
  s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10
  h_a1b2c3d4e5f678 12
---
${JSON.stringify(
  {
    schema_version: 'authorship/3.0.0',
    git_ai_version: '1.4.0',
    base_commit_sha: 'abc123',
    prompts: { c9883b05a2487d6d: { agent_id: { tool: 'cursor', id: '1', model: 'gpt-4' }, accepted_lines: 11 } },
    sessions: { s_c9883b05a2487d: { agent_id: { tool: 'cursor', id: '2', model: 'gpt-4' } } },
  },
  null,
  2,
)}`;

describe('a note of a commit', () => {
  it('is in the format of Git AI, and is read again', async () => {
    const { text, edits } = await sample();
    const [head, json] = text.split('\n---\n');
    assert.equal(head, 'src/pay.ts\n  s_79426400ffd046::t_0baaacb91ff743 2-14');
    const { schema_version, base_commit_sha, prompts, sessions } = JSON.parse(json ?? '');
    assert.deepEqual([schema_version, base_commit_sha, prompts], ['authorship/3.0.0', '972ab6f5', {}]);
    assert.deepEqual(Object.keys(sessions), ['s_79426400ffd046']);
    const { agent_id, custom_attributes } = sessions.s_79426400ffd046;
    assert.deepEqual(agent_id, { tool: 'svc-coder', id: request, model: 'svc/enterprise-coder-v1' });
    assert.equal(custom_attributes['svc.log'], expected.origin);
    assert.match(
      custom_attributes[`svc.edit.${edit}`],
      /^00000001-0000-4000-8000-000000000000:7 \S+ 0:\S{24},1:\S{24},/,
    );
    assert.deepEqual(editsIn(read(text)), { edits, wrong: [] });
    assert.deepEqual(strayKeys(read(text), editsIn(read(text)).edits), []);
  });

  it('keeps what others wrote, and replaces what we wrote before', async () => {
    const others = read(foreign);
    assert.equal(hasOurs(others), false);
    const { text } = await sample('src/pay.ts', others);
    const merged = read(text);
    assert.ok(hasOurs(merged));
    assert.match(
      text,
      /^src\/pay\.ts\n {2}c9883b05a2487d6d 1,40-44\n {2}s_79426400ffd046::t_0baaacb91ff743 2-14\n"my file/,
    );
    assert.equal(merged.metadata.git_ai_version, '1.4.0');
    assert.deepEqual((await sample('src/pay.ts', merged)).text, text);
    assert.deepEqual(withEdits(merged, '', []), {
      ...others,
      metadata: merged.metadata && withEdits(others, '', []).metadata,
    });
  });

  it('names any file that the format can express', async () => {
    const names = [
      'mit Leerzeichen.ts',
      'ärger/größe.ts',
      '[a]{b}(c).ts',
      '---',
      '"quoted"',
      'a"b',
      ' lead',
      'tab\there',
      '…',
      '\u00a0',
      '..name',
      '-x',
    ];
    for (const name of names) {
      const { text } = await sample(name);
      assert.deepEqual(
        editsIn(read(text)).edits.map(({ path }) => path),
        [name],
        JSON.stringify(name),
      );
    }
    for (const name of ['two\nlines', 'a\rb', '\ufffd', '', '\ud800']) {
      assert.equal(canName(name), false);
      assert.equal(hasOurs(read((await sample(name)).text)), false, JSON.stringify(name));
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }).filter(canName), (path) => {
        const files = [{ path, attestations: [{ key: 'h_1', spans: [{ start: 1, end: 2 }] }] }];
        assert.deepEqual(read(textOf({ files, metadata: { schema_version: 'authorship/3.0.0' } })).files, files);
      }),
    );
  });

  it('has a named fault where it is not one', () => {
    const faultOf = (text: string | Uint8Array) => {
      const found = parseNote(Buffer.from(text));
      return found.ok ? null : found.fault;
    };
    const meta = '---\n{"schema_version":"authorship/3.0.0"}';
    assert.equal(faultOf(meta), null);
    assert.equal(faultOf('a'.repeat(maxNoteBytes + 1)), 'too-large');
    assert.equal(faultOf(Buffer.from('a\xff---', 'latin1')), 'not-text');
    assert.equal(faultOf(''), 'no-divider');
    assert.equal(faultOf('---\n'), 'not-json');
    assert.equal(faultOf('---\n[]'), 'not-json');
    assert.equal(faultOf(`---\n${'['.repeat(500_000)}`), 'not-json');
    assert.equal(faultOf('---\n{}'), 'wrong-version');
    const lines = [
      '  h_1 1',
      'a\n  h_1',
      'a\n  h_1 0',
      'a\n  h_1 2-1',
      'a\n  h_1 1,',
      'a\n  h_1 -1',
      'a\n  h_1 1e3',
      'a\n  h_1 ٣',
      'a\n  h_1 99999999',
      'a\n  h_1 1-9000000',
      'a\n   h_1 1',
      `a\n  h_1 ${'1,'.repeat(60_000)}1`,
    ];
    for (const wrong of lines) assert.equal(faultOf(`${wrong}\n${meta}`), 'wrong-lines', wrong.slice(0, 30));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseNote(bytes)));
  });

  it('has no edit of ours that is not exactly what we write', async () => {
    const { text } = await sample();
    const changed: readonly (readonly [string, string | RegExp, string])[] = [
      ['another key', /0:.{4}/, '0:!!!!'],
      ['a key twice', ',1:', ',0:'],
      ['an index past the edit', ',12:', ',13:'],
      ['a number with a zero', ' 0:', ' 00:'],
      ['no tags', /:7 [^ ]+ /, ':7 '],
      ['half a tag', /:7 [^ ]+ /, ':7 AAAA '],
      ['another line', '2-14', '2-13'],
      ['lines twice', '2-14', '2-14,2-14'],
      ['lines that go back', '2-14', '9-14,2-8'],
      ['no such lines', 't_0baaacb91ff743', 't_0baaacb91ff744'],
      ['line 0 of a session', ':7 ', ':0 '],
      ['a session that is none', '00000001-', '0000000g-'],
      ['an origin that is none', expected.origin, 'elsewhere'],
      ['another request', `"id": "${request}"`, `"id": "${uuidOf(9)}"`],
      ['a request that is none', `"id": "${request}"`, '"id": ["x"]'],
      ['an edit that is none', `svc.edit.${edit}`, 'svc.edit.__proto__'],
    ];
    for (const [what, from, to] of changed) {
      const spoiled = text.replace(from, to);
      assert.notEqual(spoiled, text, what);
      assert.equal(editsIn(read(spoiled)).edits.length, 0, what);
      assert.equal(editsIn(read(spoiled)).wrong.length, 1, what);
      assert.ok(strayKeys(read(spoiled), editsIn(read(spoiled)).edits).length > 0, what);
    }
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 3 }),
        (at, put) => {
          const found = parseNote(Buffer.from(text.slice(0, at) + put + text.slice(at + 1)));
          if (found.ok) editsIn(found.note);
        },
      ),
    );
  });

  it('carries the keys of committed lines alone', async () => {
    const few = await committedEdits([accepted(edit, thirteen, request)], [wholeFile('a', thirteen.slice(9, 12))]);
    const { edits } = editsIn(read(textOf(withEdits(null, '', few))));
    assert.deepEqual(
      edits.flatMap(({ lines }) => lines.map(({ index, number }) => [index, number])),
      [
        [9, 1],
        [10, 2],
        [11, 3],
      ],
    );
  });

  it('is not written if it would be too large', () => {
    const metadata = { schema_version: 'authorship/3.0.0', text: 'x'.repeat(maxNoteBytes) };
    assert.equal(writeNote({ files: [], metadata }), null);
  });

  it('names sessions as Git AI does: the hash of the tool and the id', () => {
    assert.equal(sessionOf(request), 's_79426400ffd046');
  });
});
