// A window of its own for delivery.slow.test.ts: writes and delivers until it is killed.
import { join } from 'node:path';
import { createServiceClient } from '../../../src/client/serviceClient.ts';
import { Delivery } from '../../../src/store/audit/delivery/delivery.ts';
import { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { FileSecrets, intent, outcome, place } from './auditSamples.ts';

const [root = '', url = ''] = process.argv.slice(2);
const folder = join(root, 'audit');
const log = new EvidenceLog({
  ...{ folder, place, secrets: new FileSecrets(join(root, 'secrets')), maxUnsigned: 8, maxFileBytes: 4_000 },
  versions: () => ({}),
  onDidRollBack: () => process.exit(3),
  onDidFail: () => process.exit(4),
});
const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const client = createServiceClient({ logger, userAgent: 'svc-coder/test' });
const delivery = new Delivery({
  ...{ folder, stateFolder: join(root, 'delivery'), version: '1', logger, maxBatchBytes: 9_000 },
  collector: () => ({ url }),
  send: (...about) => client.sendLogs(...about),
  written: () => log.written,
  onDidChange: () => undefined,
});
for (let index = 0; ; index += 1) {
  await log.record(intent(`request-${index}`));
  await log.record(outcome(`request-${index}`));
  await delivery.drain();
}
