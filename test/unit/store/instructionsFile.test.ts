import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManagedFile, readManagedFile } from '../../../src/store/managed/managedFile.ts';

const version = '1.0.0';
const closed = async (): Promise<boolean> => false;

describe('store: the file with the instructions of the organization', () => {
  let folder: string;
  let path: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'svc-instructions-'));
    path = join(folder, 'policy.json');
    file = join(folder, 'rules.md');
    writeFileSync(path, '{"version":1,"instructionsFile":"rules.md"}');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read beside the policy, without a byte order mark', async () => {
    writeFileSync(file, '\uFEFFUse tabs.\r\nÜ');
    const state = await readManagedFile(path, version, closed);
    assert.ok(state.state === 'in-force', JSON.stringify(state));
    assert.equal(state.policy.instructions, 'Use tabs.\r\nÜ');
  });

  /** The faults of the file, each with what is reported. */
  const faults: readonly (readonly [fault: string, make: () => void, found: unknown])[] = [
    ['missing', () => undefined, 'ENOENT'],
    ['a folder', () => mkdirSync(file), 'EISDIR'],
    ['a pipe', () => void execFileSync('mkfifo', [file]), 'EINVAL'],
    ['too large', () => writeFileSync(file, 'x'.repeat(8_193)), 'EFBIG'],
    ['blank', () => writeFileSync(file, ' \n'), 'EINVAL'],
    ['binary', () => writeFileSync(file, 'a\0b'), 'EINVAL'],
    ['a link to nowhere', () => symlinkSync('nowhere', file), 'ENOENT'],
    ['a link to itself', () => symlinkSync('rules.md', file), 'ELOOP'],
    ['not UTF-8', () => writeFileSync(file, Buffer.from('\xff\xfe', 'latin1')), null],
  ];
  for (const [fault, make, code] of faults) {
    it(`breaks the policy if it is ${fault}`, async () => {
      make();
      const state = await readManagedFile(path, version, closed);
      assert.ok(state.state === 'broken', fault);
      const { problem } = state;
      assert.ok(problem.reason === 'malformed', JSON.stringify(problem));
      assert.deepEqual(problem.where, { kind: 'key', path: 'instructionsFile' });
      assert.deepEqual(problem.allowed, { kind: 'instructionsFile' });
      const found = code === null ? { kind: 'notUtf8' } : { kind: 'value', json: `"rules.md" (${code})` };
      assert.deepEqual(problem.found, found);
    });
  }

  it('breaks the policy if the user can write it, the target of its link, or a folder on the way', async () => {
    mkdirSync(join(folder, 'through'));
    writeFileSync(join(folder, 'real.md'), 'Use tabs.');
    symlinkSync('../real.md', join(folder, 'through', 'hop'));
    symlinkSync('through/hop', file);
    for (const open of ['rules.md', 'through', 'through/hop', 'real.md'].map((name) => join(folder, name))) {
      const state = await readManagedFile(path, version, async (asked) => asked === open);
      assert.deepEqual(state.state === 'broken' && state.problem, { reason: 'writable', detail: open });
    }
  });

  it('breaks the policy if the default check finds that everyone can write it', async () => {
    writeFileSync(file, 'Use tabs.');
    chmodSync(file, 0o666);
    // Only the file with the instructions is checked in earnest here: the user owns the folder of this test.
    const { isOpenToUser } = await import('../../../src/store/managed/managedFileGuard.ts');
    const state = await readManagedFile(path, version, async (asked) => asked === file && isOpenToUser(asked));
    assert.deepEqual(state.state === 'broken' && state.problem, { reason: 'writable', detail: file });
  });

  it('takes effect immediately when it is created, changed, replaced and removed', async () => {
    let next = (): void => {};
    const managed = new ManagedFile(path, version, () => next(), closed, 3_600_000);
    const becomes = (expected: string | undefined): Promise<void> =>
      new Promise((resolve) => {
        next = () => {
          const { state } = managed;
          if ((state.state === 'in-force' ? state.policy.instructions : undefined) === expected) resolve();
        };
        next();
      });
    try {
      await managed.read();
      assert.equal(managed.state.state, 'broken');
      writeFileSync(file, 'One');
      await becomes('One');
      writeFileSync(`${file}.new`, 'Two');
      renameSync(`${file}.new`, file);
      await becomes('Two');
      rmSync(file);
      await becomes(undefined);
      mkdirSync(join(folder, 'elsewhere'));
      writeFileSync(join(folder, 'elsewhere', 'rules.md'), 'Three');
      symlinkSync('elsewhere/rules.md', file);
      await becomes('Three');
      // The folder of the target is watched, too.
      writeFileSync(join(folder, 'elsewhere', 'rules.md'), 'Four');
      await becomes('Four');
    } finally {
      managed.dispose();
    }
  });
});
