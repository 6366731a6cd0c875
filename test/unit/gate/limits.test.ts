import assert from 'node:assert/strict';
import { checkSize } from '../../../src/gate/limits.ts';

describe('gate: sizes', () => {
  const limits = { requestBytes: 100, fileBytes: 10 };

  it('lets pass what is as large as the limit', () => {
    assert.equal(checkSize({ bodyBytes: 100, files: [{ label: 'a', bytes: 10 }] }, limits), null);
  });

  it('names the file, or the request, that is too large', () => {
    assert.deepEqual(checkSize({ bodyBytes: 101, files: [{ label: 'a', bytes: 11 }] }, limits), {
      what: 'file',
      label: 'a',
      bytes: 11,
      limit: 10,
    });
    assert.deepEqual(checkSize({ bodyBytes: 101, files: [] }, limits), { what: 'request', bytes: 101, limit: 100 });
  });
});
