import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkNote, parseNote, parseVkey } from '../../../src/evidence/note.ts';
import { parseDelivered } from '../../../src/policy/managed/parseDelivered.ts';

describe('the commands of docs/administration.md that sign a policy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-signing-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('make a key and a policy that is accepted with it', () => {
    const page = readFileSync('docs/administration.md', 'utf8');
    const [makeKey = '', signPolicy = ''] = [...page.matchAll(/^node --input-type=module -e '\n([\s\S]*?)^' /gm)].map(
      ([, script = '']) => script,
    );
    const run = (script: string, argument: string): string =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script, argument], {
        cwd: folder,
        encoding: 'utf8',
      });
    const vkey = run(makeKey, 'policy.example.com').trim();
    const delivered = {
      ...{ version: 1, serial: 1, issued: '2026-11-26T10:00:00Z', expires: '2026-12-26T10:00:00Z' },
      ...{ origins: ['https://policy.example.com'], policy: { requirePreview: true } },
    };
    writeFileSync(join(folder, 'policy.json'), `${JSON.stringify(delivered, null, 2)}\n\n`);
    run(signPolicy, vkey);
    const note = parseNote(readFileSync(join(folder, 'svc.txt'), 'utf8')) ?? assert.fail('no signed note');
    assert.equal(checkNote(note, parseVkey(vkey) ?? assert.fail('no key')), 'valid');
    const { serial, policy } = parseDelivered(note.text, '1.0.0');
    assert.equal(serial, 1);
    assert.ok(!('reason' in policy) && policy.requirePreview);
  });
});
