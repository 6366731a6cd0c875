import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
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
import type { ManagedState } from '../../../src/policy/managed/managedPolicy.ts';
import { ManagedFile, managedPolicyPath, readManagedFile } from '../../../src/store/managed/managedFile.ts';
import { isOpenByFacts } from '../../../src/store/managed/managedFileGuard.ts';

const closed = async (): Promise<boolean> => false;
const good = '{"version":1,"requireAuditLog":true}';

describe('store: the managed file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'svc-managed-'));
    path = join(folder, 'svc', 'policy.json');
    mkdirSync(join(folder, 'svc'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const problem = async (): Promise<unknown> => {
    const state = await readManagedFile(path, '1.0.0', closed);
    return state.state === 'broken' ? state.problem : state.state;
  };

  it('is where a system administrator would put it', () => {
    assert.equal(managedPolicyPath('linux', undefined), '/etc/svc/policy.json');
    assert.equal(managedPolicyPath('darwin', undefined), '/Library/Application Support/Svc/policy.json');
    assert.equal(managedPolicyPath('win32', undefined), 'C:\\ProgramData\\Svc\\policy.json');
  });

  it('ignores the environment if the usual place exists on Windows', () => {
    const on = (isThere: boolean): string => managedPolicyPath('win32', 'D:\\Data', () => isThere);
    assert.equal(on(true), 'C:\\ProgramData\\Svc\\policy.json');
    assert.equal(on(false), 'D:\\Data\\Svc\\policy.json');
  });

  it('is none if the file or its folder does not exist', async () => {
    assert.equal(await problem(), 'none');
    path = join(folder, 'nowhere', 'policy.json');
    assert.equal(await problem(), 'none');
  });

  it('is in force if it is valid, with its digest', async () => {
    writeFileSync(path, good);
    const state = await readManagedFile(path, '1.0.0', closed);
    assert.ok(state.state === 'in-force');
    assert.equal(state.policy.requireAuditLog, true);
    assert.match(state.digest, /^[0-9a-f]{64}$/);
  });

  it('is broken if it cannot be read, with the reason', async () => {
    mkdirSync(path);
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'EISDIR' });
    rmSync(path, { recursive: true });
    symlinkSync(path, path);
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'ELOOP' });
    rmSync(path);
    writeFileSync(path, ' '.repeat(1024 * 1024 + 1));
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'EFBIG' });
    rmSync(path);
    // A pipe without a writer would block the reader forever.
    execFileSync('mkfifo', [path]);
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'EINVAL' });
  });

  it('is broken, not none, if a link is dangling', async () => {
    symlinkSync(join(folder, 'gone'), path);
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'ENOENT' });
    rmSync(path);
    symlinkSync('../gone/policy.json', path);
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'ENOENT' });
    rmSync(join(folder, 'svc'), { recursive: true });
    symlinkSync('gone', join(folder, 'svc'));
    assert.deepEqual(await problem(), { reason: 'unreadable', detail: 'ENOENT' });
  });

  it('is none if a link leads to a folder without one', async () => {
    mkdirSync(join(folder, 'etc'));
    symlinkSync('etc', join(folder, 'link'));
    path = join(folder, 'link', 'policy.json');
    assert.equal(await problem(), 'none');
    path = join(folder, 'link', 'svc', 'policy.json');
    assert.equal(await problem(), 'none');
  });

  it('is broken if it is malformed or of another version', async () => {
    writeFileSync(path, '{"version":1,"requireAudit":true}');
    assert.equal(((await problem()) as { reason: string }).reason, 'malformed');
    writeFileSync(path, '{"version":7}');
    assert.deepEqual(await problem(), { reason: 'unknown-version', found: '7' });
    writeFileSync(path, Buffer.from('{"version":1,"allowedModels":["svc/\xff"]}', 'latin1'));
    const [where, found, allowed] = [{ kind: 'file' }, { kind: 'notUtf8' }, { kind: 'utf8' }];
    assert.deepEqual(await problem(), { reason: 'malformed', where, found, allowed });
  });

  it('is broken if the user can write the file, a folder above it, or the target of a link', async () => {
    const real = join(folder, 'elsewhere.json');
    writeFileSync(real, good);
    symlinkSync(real, path);
    for (const open of [path, real, join(folder, 'svc'), folder]) {
      const state = await readManagedFile(path, '1.0.0', async (asked) => asked === open);
      assert.deepEqual(state.state === 'broken' && state.problem, { reason: 'writable', detail: open });
    }
  });

  it('is broken if a folder on the way of a link is writable, even if both ends are protected', async () => {
    mkdirSync(join(folder, 'through'));
    writeFileSync(join(folder, 'real.json'), good);
    symlinkSync('../real.json', join(folder, 'through', 'hop'));
    symlinkSync(join(folder, 'through', 'hop'), path);
    for (const open of [join(folder, 'through'), join(folder, 'through', 'hop')]) {
      const state = await readManagedFile(path, '1.0.0', async (asked) => asked === open);
      assert.deepEqual(state.state === 'broken' && state.problem, { reason: 'writable', detail: open });
    }
  });

  it('is broken, not none, if the user may have removed it: its folder exists and is writable', async () => {
    const state = await readManagedFile(path, '1.0.0', async (asked) => asked === join(folder, 'svc'));
    assert.deepEqual(state.state === 'broken' && state.problem, { reason: 'writable', detail: join(folder, 'svc') });
    rmSync(join(folder, 'svc'), { recursive: true });
    assert.equal((await readManagedFile(path, '1.0.0', async (asked) => asked === folder)).state, 'none');
  });

  it('is broken, not none, if a link leads through a writable folder to a protected one', async () => {
    mkdirSync(join(folder, 'through'));
    mkdirSync(join(folder, 'closed'));
    symlinkSync('../closed', join(folder, 'through', 'hop'));
    rmSync(join(folder, 'svc'), { recursive: true });
    symlinkSync(join(folder, 'through', 'hop'), join(folder, 'svc'));
    const problemWith = async (open: string): Promise<unknown> => {
      const state = await readManagedFile(path, '1.0.0', async (asked) => asked === open);
      return state.state === 'broken' ? state.problem : state.state;
    };
    // Even if a folder is missing in the target of the link.
    for (const last of ['policy.json', 'deeper/policy.json']) {
      path = join(folder, 'svc', last);
      for (const open of ['through', 'through/hop', 'closed', 'svc', ''].map((name) => join(folder, name))) {
        assert.deepEqual(await problemWith(open), { reason: 'writable', detail: open }, last);
      }
      assert.equal(await problemWith('no name on the way'), 'none');
    }
  });

  it('the default check rejects a folder behind a link that the user owns', async () => {
    symlinkSync('svc', join(folder, 'link'));
    path = join(folder, 'link', 'missing', 'policy.json');
    // If root runs this, links of root are accepted, so the link gets another owner.
    if (process.getuid?.() === 0) lchownSync(join(folder, 'link'), 12345, 12345);
    const state = await readManagedFile(path, '1.0.0');
    assert.equal(state.state === 'broken' && state.problem.reason, 'writable');
  });

  it('the default check detects files that everyone can write, and files of this user', async () => {
    const reason = async (): Promise<unknown> => {
      const state = await readManagedFile(path, '1.0.0');
      return state.state === 'broken' && state.problem.reason;
    };
    for (const mode of [0o666, 0o664, 0o1666]) {
      writeFileSync(path, good);
      chmodSync(path, mode);
      assert.equal(await reason(), 'writable', mode.toString(8));
    }
    chmodSync(path, 0o444);
    // If root runs this, files of root are accepted, so the file gets another owner.
    if (process.getuid?.() === 0) chownSync(path, 12345, 12345);
    assert.equal(await reason(), 'writable');
  });

  it('the default check accepts the owner root: only the content is malformed', async () => {
    const state = await readManagedFile('/etc/passwd', '1.0.0');
    assert.equal(state.state === 'broken' && state.problem.reason, 'malformed');
  });

  it('owner and mode bits decide, on Linux and macOS', () => {
    const file = { uid: 0, mode: 0o644, isLink: false, isFolder: false };
    const folderOf = (mode: number, uid = 0) => ({ uid, mode, isLink: false, isFolder: true });
    const link = { uid: 0, mode: 0o777, isLink: true, isFolder: false };
    const user = 1000;
    const root = 0;
    assert.equal(isOpenByFacts(file, user), false);
    assert.equal(isOpenByFacts(file, root), false);
    assert.equal(isOpenByFacts({ ...file, uid: user }, user), true, 'its own file');
    assert.equal(isOpenByFacts({ ...file, uid: user, mode: 0o444 }, user), true, 'whose mode it can change');
    assert.equal(isOpenByFacts({ ...file, uid: user }, root), true, 'for root, anybody else');
    assert.equal(isOpenByFacts({ ...file, mode: 0o664 }, user), true, 'its group');
    assert.equal(isOpenByFacts({ ...file, mode: 0o646 }, root), true, 'everybody');
    assert.equal(isOpenByFacts({ ...file, mode: 0o1666 }, user), true, 'sticky means nothing for a file');
    assert.equal(isOpenByFacts(folderOf(0o755), user), false);
    assert.equal(isOpenByFacts(folderOf(0o1777), user), false, 'a sticky folder, as /tmp');
    assert.equal(isOpenByFacts(folderOf(0o1777, user), user), true, 'its own sticky folder');
    assert.equal(isOpenByFacts(folderOf(0o777), user), true);
    assert.equal(isOpenByFacts(link, user), false, 'the bits of a link');
    assert.equal(isOpenByFacts({ ...link, uid: user }, user), true, 'its own link');
  });

  describe('while a window is open', () => {
    let file: ManagedFile | undefined;
    let states: ManagedState[];
    let next: () => void;
    afterEach(() => file?.dispose());

    /** Longer than a test may take: what is noticed was noticed by a watch. */
    const noPollMs = 3_600_000;
    const begin = async (pollMs?: number): Promise<void> => {
      states = [];
      next = () => {};
      file = new ManagedFile(
        path,
        '1.0.0',
        (state) => {
          states.push(state);
          next();
        },
        closed,
        pollMs,
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

    it('created, changed, replaced and removed: each takes effect immediately', async () => {
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
    });

    it('its folder is replaced as a whole, or removed and created again: watches the new one', async () => {
      writeFileSync(path, '{"version":1}');
      await begin(noPollMs);
      mkdirSync(join(folder, 'new'));
      writeFileSync(join(folder, 'new', 'policy.json'), good);
      renameSync(join(folder, 'svc'), join(folder, 'old'));
      renameSync(join(folder, 'new'), join(folder, 'svc'));
      await becomes(isAuditRequired);
      // Without the poll: the watch is on the new folder.
      writeFileSync(path, '{"version":1}');
      await becomes(() => file?.state.state === 'in-force' && !isAuditRequired());

      // In one step, so that the new folder may get the old one's inode.
      rmSync(join(folder, 'svc'), { recursive: true });
      mkdirSync(join(folder, 'svc'));
      writeFileSync(path, good);
      await becomes(isAuditRequired);
      writeFileSync(path, '{"version":1}');
      await becomes(() => file?.state.state === 'in-force' && !isAuditRequired());
    });

    it('its folder is a link that changes its target', async () => {
      for (const [name, text] of [
        ['one', '{"version":1}'],
        ['two', good],
      ] as const) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'policy.json'), text);
      }
      path = join(folder, 'link', 'policy.json');
      symlinkSync('one', join(folder, 'link'));
      await begin(noPollMs);
      symlinkSync('two', join(folder, 'link.new'));
      renameSync(join(folder, 'link.new'), join(folder, 'link'));
      await becomes(isAuditRequired);
    });

    it('the target of a link changes, and the link changes its target', async () => {
      mkdirSync(join(folder, 'elsewhere'));
      const real = join(folder, 'elsewhere', 'one.json');
      writeFileSync(real, '{"version":1}');
      symlinkSync(real, path);
      await begin(noPollMs);
      writeFileSync(real, good);
      await becomes(isAuditRequired);
      writeFileSync(join(folder, 'elsewhere', 'two.json'), '{"version":1}');
      symlinkSync(join(folder, 'elsewhere', 'two.json'), `${path}.new`);
      renameSync(`${path}.new`, path);
      await becomes(() => file?.state.state === 'in-force' && !isAuditRequired());
    });

    it('a hundred concurrent calls cause only one additional read', async () => {
      writeFileSync(path, good);
      let readings = 0;
      file = new ManagedFile(
        path,
        '1.0.0',
        () => {},
        async (asked) => {
          if (asked === path) readings += 1;
          return false;
        },
      );
      await Promise.all(Array.from({ length: 100 }, () => file?.read()));
      assert.ok(readings <= 2, String(readings));
      assert.equal(file.state.state, 'in-force');
    });

    it('reports nothing after dispose', async () => {
      writeFileSync(path, good);
      await begin();
      writeFileSync(path, '{"version":1}');
      const reading = file?.read();
      file?.dispose();
      await reading;
      assert.equal(states.length, 1);
    });

    it('the same content again is not a change', async () => {
      writeFileSync(path, good);
      await begin();
      writeFileSync(path, good);
      await file?.read();
      assert.equal(states.length, 1);
    });
  });
});
