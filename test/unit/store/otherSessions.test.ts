import assert from 'node:assert/strict';
import { leafOf } from '../../../src/evidence/line.ts';
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
  /** What is found while the anchor has these states, one look after the other. */
  const found = (...states: readonly (SessionAnchor | null)[]) =>
    withFolder(log.files(), async (folder) => {
      let looks = 0;
      const anchors = {
        sessions: async () => [session.id],
        get: async () => states[Math.min(looks++, states.length - 1)] ?? null,
        isOwn: () => false,
      };
      const view = { origin: log.origin, heads: new Map(), removed: new Set<string>() };
      const { killed } = await otherSessions(folder, anchors, view);
      return killed.map(({ size, why }) => `${why} ${size}`);
    });

  it('is judged by its last anchor', async () => {
    assert.deepEqual(await found(anchorAt(4), anchorAt(7)), ['recovered 7']);
    assert.deepEqual(await found(anchorAt(4), anchorAt(5), anchorAt(7)), ['recovered 7']);
    assert.deepEqual(await found(anchorAt(4)), ['unanchored 7']);
    assert.deepEqual(await found(anchorAt(4), anchorAt(5)), ['unanchored 7']);
  });

  it('is left alone if it ended by itself meanwhile', async () => {
    assert.deepEqual(await found(anchorAt(4), null), []);
    assert.deepEqual(await found(null), ['unanchored 7']);
  });

  it('is not among those that there were if it begins meanwhile, whatever ledger it names', async () => {
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
      const view = { origin: log.origin, heads: new Map(), removed: new Set<string>() };
      const { present } = await otherSessions(folder, anchors, view);
      assert.deepEqual([present.has(session.id), present.has(begun.id)], [true, false]);
    });
  });
});
