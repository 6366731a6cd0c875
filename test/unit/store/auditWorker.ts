// A separate window for auditWindows.test.ts. Writes into the given folder, as `send` or until it is killed. At its end
// it reports how far it was anchored.
import { once } from 'node:events';
import { type AuditAnchor, AuditLog } from '../../../src/store/audit/auditLog.ts';

const [folder = '', mode, name = ''] = process.argv.slice(2);
let anchored: readonly [string, AuditAnchor] | undefined;
const log = new AuditLog({
  folder,
  key: async () => Buffer.alloc(32, 7),
  anchors: {
    set: async (...anchor) => {
      anchored = anchor;
    },
  },
  versions: () => ({}),
});
const counts = { files: 0, bytes: 1, maskings: 0, unmasked: 0, exclusions: 0, previewed: false };

for (let index = 0; index < 500; index += 1) {
  const request = `${name}-${index}`;
  const about = { request, action: 'chat', origin: 'https://svc.example.com', model: 'svc/auto', headers: [] } as const;
  const sent = log.record({ kind: 'request-intent', ...about, ...counts });
  if (mode === 'hang') {
    await sent;
    process.send?.('ready');
    await once(process, 'disconnect');
  }
  // Like a window that sends faster than the disk syncs.
  const ended = log.record({ kind: 'request-outcome', request, outcome: 'complete', confirmation: 'none' });
  if (index % 10 === 9) await Promise.all([sent, ended]);
}
await log.dispose();
if (process.connected) process.send?.(anchored);
process.disconnect?.();
