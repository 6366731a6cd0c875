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

  const page = readFileSync('docs/administration.md', 'utf8');
  const [makeKey = '', signPolicy = ''] = [...page.matchAll(/^node --input-type=module -e '\n([\s\S]*?)^'/gm)].map(
    ([, script = '']) => script,
  );
  const run = (script: string, ...args: readonly string[]): void => {
    execFileSync(process.execPath, ['--input-type=module', '-e', script, ...args], { cwd: folder, stdio: 'pipe' });
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const json = JSON.stringify(
    {
      ...{ version: 1, serial: 1, issued: '2026-11-26T10:00:00Z', expires: '2026-12-26T10:00:00Z' },
      ...{ origins: ['https://policy.example.com'], policy: { requirePreview: true } },
    },
    null,
    '\t',
  );

  before(() => run(makeKey, 'policy.example.com'));

  it('do not replace a key', () => {
    const key = read('policy-key.pem');
    assert.throws(() => run(makeKey, 'policy.example.com'), /EEXIST/);
    assert.equal(read('policy-key.pem'), key);
  });

  for (const [what, text] of [
    ['with tabs', `${json}\n\n`],
    ['of an editor on Windows', `\uFEFF${json.replaceAll('\n', '\r\n')}\r\n`],
  ] as const) {
    it(`make a policy that is accepted with the key, from a file ${what}`, () => {
      writeFileSync(join(folder, 'svc.json'), text);
      run(signPolicy);
      const note = parseNote(read('svc.txt')) ?? assert.fail('no signed note');
      assert.equal(checkNote(note, parseVkey(read('policy-key.pub').trim()) ?? assert.fail('no key')), 'valid');
      const { serial, policy } = parseDelivered(note.text, '1.0.0');
      assert.equal(serial, 1);
      assert.ok(!('reason' in policy) && policy.requirePreview);
    });
  }

  it('sign no text that is not JSON', () => {
    writeFileSync(join(folder, 'svc.json'), json.slice(0, -1));
    rmSync(join(folder, 'svc.txt'), { force: true });
    assert.throws(() => run(signPolicy), /SyntaxError/);
    assert.throws(() => read('svc.txt'), /ENOENT/);
  });
});
