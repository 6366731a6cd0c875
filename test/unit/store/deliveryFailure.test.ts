import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureAfter } from '../../../src/store/audit/delivery/failure.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { DeliveryBench } from './deliveryBench.ts';

describe('store: when a failed delivery of the audit log is tried again', () => {
  const times = { baseMs: 1_000, maxMs: 300_000 };
  const after = (error: unknown, count = 1) => failureAfter(error, count, 0, times);
  const answered = (status: number, retryAfterMs?: number) =>
    new ServiceError('server', 'no', { status, retryAfterMs, isRetryable: true });

  it('is soon after what may end by itself, then later and later', () => {
    const passing = [
      ...[429, 502, 503, 504].map((status) => answered(status)),
      new ServiceError('network', 'no', { externalCode: 'ECONNREFUSED', isRetryable: true }),
      new ServiceError('timeout', 'no', { code: 'check' }),
      Object.assign(new Error('full'), { code: 'ENOSPC' }),
    ];
    for (const error of passing) {
      assert.ok(after(error).until <= 1_000, String(error));
      const { until } = after(error, 5);
      assert.ok(until >= 8_000 && until <= 16_000, String(until));
      assert.ok(after(error, 5_000).until <= 300_000);
    }
    assert.deepEqual(
      passing.map((error) => after(error).why),
      ['429', '502', '503', '504', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOSPC'],
    );
  });

  it('is late after everything else', () => {
    for (const error of [...[301, 400, 401, 404, 413, 500, 501].map((status) => answered(status)), new TypeError()]) {
      const { until } = after(error, 1);
      assert.ok(error instanceof TypeError || (until >= 150_000 && until <= 300_000), String(until));
    }
  });

  it('is when the collector asks, within 5 minutes, even for a user who waits', () => {
    const { until, notBefore } = after(answered(429, 40_000));
    assert.deepEqual([until, notBefore], [40_000, 40_000]);
    assert.equal(after(answered(503, 1e12)).until, 300_000);
    assert.ok(after(answered(503)).notBefore <= 1_000);
  });
});

describe('store: a request that needs the delivery of the audit log', () => {
  it('is refused with the folder and the reason if the log cannot be read', async () => {
    const bench = new DeliveryBench();
    const collector = await bench.collector();
    const folder = join(bench.audit.root, 'no-folder');
    writeFileSync(folder, '');
    const delivery = bench.window(null, { folder });
    await assert.rejects(delivery.require(), {
      kind: 'gate',
      code: 'audit-unwritable',
      reason: 'ENOTDIR',
      file: folder,
    });
    rmSync(folder);
    await delivery.require();
    assert.equal(collector.requests.length, 0);
    bench.clear();
  });
});
