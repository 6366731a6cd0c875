import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManagedState } from '../../../src/policy/managedPolicy.ts';
import { ManagedFile, managedPolicyPath, readManagedFile } from '../../../src/store/managedFile.ts';

const closed = async (): Promise<boolean> => false;
const good = '{"version":1,"requireAuditLog":true}';

describe('store: the managed file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-managed-'));
    path = join(folder, 'svc', 'policy.json');
    mkdirSync(join(folder, 'svc'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const problem = async (): Promise<unknown> => {
    const state = await readManagedFile(path, closed);
    return state.state === 'broken' ? state.problem : state.state;
  };

  it('is where an administrator of the system would put it', () => {
    assert.equal(managedPolicyPath('linux', undefined), '/etc/svc/policy.json');
    assert.equal(managedPolicyPath('darwin', undefined), '/Library/Application Support/Svc/policy.json');
    assert.equal(managedPolicyPath('win32', 'D:\\Data'), 'D:\\Data\\Svc\\policy.json');
  });

  it('is none where there is no file, or no folder', async () => {
    assert.equal(await problem(), 'none');
    path = join(folder, 'nowhere', 'policy.json');
    assert.equal(await problem(), 'none');
  });

  it('is in force where it is good, with its digest', async () => {
    writeFileSync(path, good);
    const state = await readManagedFile(path, closed);
    assert.ok(state.state === 'in-force');
    assert.equal(state.policy.requireAuditLog, true);
    assert.match(state.digest, /^[0-9a-f]{64}$/);
  });

  it('is broken where it cannot be read, and says why', async () => {
    mkdirSync(path);
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'EISDIR' });
    rmSync(path, { recursive: true });
    symlinkSync(path, path);
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'ELOOP' });
    rmSync(path);
    writeFileSync(path, ' '.repeat(1024 * 1024 + 1));
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'EFBIG' });
  });

  it('is broken where it is malformed or of another version', async () => {
    writeFileSync(path, '{"version":1,"requireAudit":true}');
    assert.equal(((await problem()) as { reason: string }).reason, 'malformed');
    writeFileSync(path, '{"version":7}');
    assert.deepEqual(await problem(), { reason: 'unknown-version', found: '7' });
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x7b]));
    assert.equal(((await problem()) as { reason: string }).reason, 'malformed');
  });

  it('is broken where the user can write the file, a folder above it, or what a link leads to', async () => {
    const real = join(folder, 'elsewhere.json');
    writeFileSync(real, good);
    symlinkSync(real, path);
    for (const open of [path, real, join(folder, 'svc'), folder]) {
      const state = await readManagedFile(path, async (asked) => asked === open);
      assert.deepEqual(state.state === 'broken' && state.problem, { reason: 'writable', detail: open });
    }
  });

  it('by itself sees what everybody may write', async () => {
    writeFileSync(path, good);
    chmodSync(path, 0o666);
    const state = await readManagedFile(path);
    assert.deepEqual(state.state === 'broken' && state.problem.reason, 'writable');
  });

  describe('while a window is open', () => {
    let file: ManagedFile | undefined;
    let states: ManagedState[];
    let next: () => void;
    afterEach(() => file?.dispose());

    const begin = async (): Promise<void> => {
      states = [];
      next = () => {};
      file = new ManagedFile(
        path,
        (state) => {
          states.push(state);
          next();
        },
        closed,
      );
      assert.equal(file.state.state, 'broken', 'nothing is sent before it was read');
      await becomes(() => states.length > 0);
    };
    const becomes = (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        next = () => {
          if (holds()) resolve();
        };
        next();
      });
    const isAuditRequired = (): boolean => file?.state.state === 'in-force' && file.state.policy.requireAuditLog;

    it('made, changed, replaced and removed: each holds at once', async () => {
      rmSync(join(folder, 'svc'), { recursive: true });
      await begin();
      assert.equal(file?.state.state, 'none');

      mkdirSync(join(folder, 'svc'));
      writeFileSync(path, good);
      await becomes(isAuditRequired);

      writeFileSync(path, '{"version":1}');
      await becomes(() => file?.state.state === 'in-force' && !isAuditRequired());

      writeFileSync(`${path}.new`, good);
      renameSync(`${path}.new`, path);
      await becomes(isAuditRequired);

      writeFileSync(path, '{"version":1,');
      await becomes(() => file?.state.state === 'broken');

      rmSync(path);
      await becomes(() => file?.state.state === 'none');
    }).timeout(20_000);

    it('the same content again is no change', async () => {
      writeFileSync(path, good);
      await begin();
      writeFileSync(path, good);
      await file?.read();
      assert.equal(states.length, 1);
    });
  });
});
