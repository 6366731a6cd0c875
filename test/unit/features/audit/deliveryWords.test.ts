import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/util/errors.ts';
import { hostModule } from '../../../tools/hostModule.ts';

describe('the words about the delivery of the audit log', () => {
  it('say what waits, why it failed, and what was rejected', async () => {
    const { deliveryWords } = await hostModule<typeof import('../../../../src/features/audit/vscode/deliveryWords.ts')>(
      'src/features/audit/vscode/deliveryWords.ts',
      'en',
    );
    const delivered = { backlog: 0, host: 'logs.example.com', failure: undefined, rejected: 0 };
    assert.deepEqual(deliveryWords(null), []);
    assert.deepEqual(deliveryWords(delivered), ['Everything has been delivered to logs.example.com.']);
    assert.deepEqual(
      deliveryWords({
        ...delivered,
        backlog: 2048,
        failure: new ServiceError('server', '', { status: 503 }),
        rejected: 2,
      }),
      [
        'Not yet delivered to logs.example.com: 2 kB.',
        'The last attempt failed: 503.',
        'The collector rejected records: 2.',
      ],
    );
  });
});
