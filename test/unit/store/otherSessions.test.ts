import assert from 'node:assert/strict';
import { leafOf } from '../../../src/evidence/line.ts';
import { rootOf } from '../../../src/evidence/tree.ts';
import { otherSessions } from '../../../src/store/audit/ledger/otherSessions.ts';
import type { SessionAnchor } from '../../../src/store/audit/sessionAnchors.ts';
import { EvidenceLog } from '../../tools/evidenceLog.ts';
import { withFolder, writeFiles } from '../evidence/folders.ts';

describe('store: a window that is killed while another one looks for such windows', () => {
  const log = new EvidenceLog('killed').open();
  const session = log.session();
  session.record(6);
  const anchorAt = (size: number): SessionAnchor => ({
    reached: { size, leaf: leafOf(session.lines[size - 1] ?? '').toString('hex') },
  });
  const viewOf = ({ origin }: EvidenceLog) => ({
    ...{ origin, heads: new Map(), removed: new Set<string>() },
  });
  /** What is found while the anchor has these states, one look after the other. */
  const found = (...states: readonly (SessionAnchor | null)[]) =>
    withFolder(log.files(), async (folder) => {
      let looks = 0;
      const anchors = {
        sessions: async () => [session.id],
        get: async () => states[Math.min(looks++, states.length - 1)] ?? null,
        isOwn: () => false,
      };
      const view = viewOf(log);
      const { killed } = await otherSessions(folder, anchors, view);
      return killed.map(({ size, why }) => `${why} ${size}`);
    });

  it('is judged by its last anchor', async () => {
    assert.deepEqual(await found(anchorAt(4), anchorAt(7)), ['recovered 7']);
    assert.deepEqual(await found(anchorAt(4), anchorAt(5), anchorAt(7)), ['recovered 7']);
    assert.deepEqual(await found(anchorAt(4)), ['recovered 4', 'unvouched 7']);
    assert.deepEqual(await found(anchorAt(4), anchorAt(5)), ['recovered 5', 'unvouched 7']);
    assert.deepEqual(await found({ reached: { size: 0, leaf: '0'.repeat(64) } }), ['unanchored 7']);
    const other = { reached: { size: 6, leaf: 'ab'.repeat(32) } };
    assert.deepEqual(await found(other), ['unanchored 7']);
    assert.deepEqual(await found({ reached: { size: 9, leaf: 'ab'.repeat(32) } }), ['unanchored 7']);
  });

  it('is believed for a few last lines that the secret storage did not know, not for more', async () => {
    const limits: readonly (readonly [lines: number, apartMs: number, says: readonly string[]])[] = [
      [8, 700, ['recovered 3', 'unvouched 11']],
      [9, 0, ['unanchored 12']],
      [6, 1_000, ['recovered 3', 'unvouched 9']],
      [6, 1_001, ['unanchored 9']],
      [1, 99_999, ['recovered 3', 'unvouched 4']],
    ];
    for (const [lines, apartMs, says] of limits) {
      const made = new EvidenceLog('tail').open();
      const long = made.session();
      long.record(2);
      const begin = Date.parse('2026-11-02T09:00:00.000Z');
      for (let at = 0; at < lines; at += 1) {
        made.skipTo(begin + at * apartMs - 1_000);
        long.record();
      }
      const reached = { size: 3, leaf: leafOf(long.lines[2] ?? '').toString('hex') };
      await withFolder(made.files(), async (folder) => {
        const anchors = { sessions: async () => [long.id], get: async () => ({ reached }), isOwn: () => false };
        const { killed } = await otherSessions(folder, anchors, viewOf(made));
        assert.deepEqual(
          killed.map(({ size, why }) => `${why} ${size}`),
          says,
        );
      });
    }
  });

  it('is believed for what its last head has, if its anchor is older', () =>
    withFolder(log.files(), async (folder) => {
      const anchors = { sessions: async () => [session.id], get: async () => anchorAt(2), isOwn: () => false };
      const headAt = (size: number) => {
        const root = rootOf(session.lines.slice(0, size).map(leafOf)).toString('base64');
        return new Map([[session.id, { size, root, time: '' }]]);
      };
      const look = async (size: number) => {
        const { killed, signed } = await otherSessions(folder, anchors, { ...viewOf(log), heads: headAt(size) });
        return [killed.map((head) => `${head.why} ${head.size}`), signed];
      };
      assert.deepEqual(await look(6), [['unvouched 7'], []]);
      assert.deepEqual(await look(7), [[], [session.id]]);
    }));

  it('is judged by all its lines, if it wrote some before it was killed', () => {
    const [[name = '', lines = []] = []] = log.files();
    return withFolder([[name, lines.slice(0, 4)]], async (folder) => {
      let looks = 0;
      const anchors = {
        sessions: async () => [session.id],
        get: async () => {
          looks += 1;
          if (looks === 1) return anchorAt(4);
          writeFiles(folder, log.files());
          return anchorAt(7);
        },
        isOwn: () => false,
      };
      const heads = new Map([
        [session.id, { size: 4, root: rootOf(lines.slice(0, 4).map(leafOf)).toString('base64'), time: '' }],
      ]);
      const { killed, signed } = await otherSessions(folder, anchors, { ...viewOf(log), heads });
      assert.deepEqual([killed.map(({ size, why }) => `${why} ${size}`), signed], [['recovered 7'], []]);
    });
  });

  it('a window whose anchor is deleted in the meantime had ended, if the ledger has all of its lines', () =>
    withFolder(log.files(), async (folder) => {
      const anchors = { sessions: async () => [session.id], get: async () => null, isOwn: () => false };
      const root = rootOf(session.lines.map(leafOf)).toString('base64');
      const look = (size: number) =>
        otherSessions(folder, anchors, { ...viewOf(log), heads: new Map([[session.id, { size, root, time: '' }]]) });
      const [all, some] = [await look(7), await look(4)];
      assert.deepEqual([all.killed, all.signed], [[], [session.id]]);
      assert.deepEqual(
        some.killed.map(({ why }) => why),
        ['unanchored'],
      );
    }));

  it('a window that began in the meantime and was killed is judged by its anchor', () => {
    const begun = new EvidenceLog('killed').open();
    const later = begun.session();
    return withFolder([], async (folder) => {
      const anchors = {
        sessions: async () => {
          writeFiles(folder, begun.files());
          return [];
        },
        get: async () => ({ reached: { size: 1, leaf: leafOf(later.lines[0] ?? '').toString('hex') } }),
        isOwn: () => false,
      };
      const { killed } = await otherSessions(folder, anchors, viewOf(begun));
      assert.deepEqual(
        killed.map(({ size, why }) => `${why} ${size}`),
        ['recovered 1'],
      );
    });
  });

  it('is left alone if it ended by itself in the meantime', async () => {
    assert.deepEqual(await found(anchorAt(4), null), []);
    assert.deepEqual(await found(null), ['unanchored 7']);
  });

  it('a window that still runs is recognized by what it was writing, if the storage has no later anchor', async () => {
    const made = new EvidenceLog('runs').open();
    made.skipTo(Date.now());
    const running = made.session();
    running.put({ kind: 'session-started', ledger: made.origin, versions: {}, pid: process.ppid });
    const leaf = leafOf(running.lines[1] ?? '').toString('hex');
    const anchor = { reached: { size: 0, leaf: '0'.repeat(64) }, expected: { size: 2, leaf } };
    await withFolder(made.files(), async (folder) => {
      const anchors = { sessions: async () => [running.id], get: async () => anchor, isOwn: () => false };
      const { begun, unsure, killed } = await otherSessions(folder, anchors, viewOf(made));
      assert.deepEqual([begun.map(({ why, size }) => `${why} ${size}`), unsure, killed], [['start 2'], [], []]);
    });
  });

  it('is not among those that there were if it begins in the meantime, whatever ledger it names', async () => {
    const earlier = new EvidenceLog('earlier').open();
    const begun = earlier.session();
    await withFolder(log.files(), async (folder) => {
      const anchors = {
        sessions: async () => {
          writeFiles(folder, earlier.files());
          return [session.id];
        },
        get: async () => anchorAt(7),
        isOwn: () => false,
      };
      const view = viewOf(log);
      const { present } = await otherSessions(folder, anchors, view);
      assert.deepEqual([present.has(session.id), present.has(begun.id)], [true, false]);
    });
  });
});
