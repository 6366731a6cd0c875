import assert from 'node:assert/strict';
import { withoutNames } from '../../../../src/features/vscodeChat/vscode/withoutNames.ts';
import { ServiceError } from '../../../../src/util/errors.ts';

describe('an error for VS Code or another extension', () => {
  it('has no names of excluded files', () => {
    const facts = { file: 'certs/server.p12', reason: '1 of 2 recognized in private/' };
    const error = withoutNames(new ServiceError('gate', 'Not recognized.', { code: 'not-recognized', ...facts }));
    assert.deepEqual([error.code, error.file, error.reason], ['not-recognized', undefined, undefined]);
    const other = new ServiceError('gate', 'No log.', { code: 'audit-unwritable', ...facts });
    assert.equal(withoutNames(other), other);
  });
});
