// A window for dayLimits.slow.test.ts, in a process of its own: sends as many requests as the daily limit allows.
import { DayCounter } from '../../../src/store/audit/dayLimits.ts';
import { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { FileSecrets, intent, outcome, place } from './auditSamples.ts';

const [folder = '', lockFolder = '', secrets = '', name = '', requests = '0', cap = '0'] = process.argv.slice(2);
const log = new EvidenceLog({
  ...{ folder, place, secrets: new FileSecrets(secrets), versions: () => ({}), maxFileBytes: 30_000 },
  onDidRollBack: () => process.exit(3),
  onDidFail: () => undefined,
});
const counter = new DayCounter({ folder, lockFolder });
const limits = { requests: Number(cap), file: '/etc/svc/policy.json' };
let [sent, refused] = [0, 0];
const send = async (index: number): Promise<void> => {
  const request = `${name}-${index}`;
  try {
    await counter.reserve(limits, () => log.record(intent(request)));
    sent += 1;
    await log.record(outcome(request));
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'day-limit') throw error;
    refused += 1;
  }
};
// Two at a time, as a panel and an inline suggestion.
for (let index = 0; index < Number(requests); index += 2) await Promise.all([send(index), send(index + 1)]);
await log.close();
process.send?.({ sent, refused });
process.disconnect?.();
