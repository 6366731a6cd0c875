// A separate window for auditWindows.test.ts. Writes into the given folder, as `send` or until it is killed.
import { once } from 'node:events';
import { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { FileSecrets, intent, outcome, place } from './auditSamples.ts';

const [folder = '', secrets = '', mode, name = ''] = process.argv.slice(2);
const log = new EvidenceLog({
  ...{ folder, place, secrets: new FileSecrets(secrets), maxUnsigned: 64 },
  versions: () => ({}),
  onDidRollBack: () => process.exit(3),
  onDidFail: () => process.exit(4),
});

for (let index = 0; index < 500; index += 1) {
  const request = `${name}-${index}`;
  const sent = log.record(intent(request));
  if (mode === 'hang') {
    await sent;
    await log.sign();
    // Lines that are not signed yet.
    for (let more = 0; more < 3; more += 1) await log.record(intent(`${request}.${more}`));
    process.send?.('ready');
    await once(process, 'disconnect');
  }
  // Like a window that sends faster than the disk syncs.
  const ended = log.record(outcome(request));
  if (index % 10 === 9) await Promise.all([sent, ended]);
  // Until it is killed, wherever it is.
  if (mode === 'busy' && index === 50) process.send?.('ready');
}
await log.close();
if (process.connected) process.disconnect();
