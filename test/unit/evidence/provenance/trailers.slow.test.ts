import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { assistedBy, checkpointTrailer, withTrailers } from '../../../../src/evidence/provenance/trailers.ts';
import { expected } from '../vectors.ts';

const assisted = assistedBy('svc/enterprise-coder-v1');
const root = expected.ledgerRoots[6] ?? '';
const checkpoint = checkpointTrailer(expected.origin, 7, root);

describe('trailers of a commit message', () => {
  it('go to the end, into the block that is there', () => {
    assert.equal(
      withTrailers('fix: a fee\n', [assisted]),
      'fix: a fee\n\nAssisted-by: svc-coder:svc/enterprise-coder-v1',
    );
    assert.equal(
      withTrailers('fix\n\nWhy: because.\n\nSigned-off-by: A <a@b>', [assisted, checkpoint]),
      `fix\n\nWhy: because.\n\nSigned-off-by: A <a@b>\nAssisted-by: svc-coder:svc/enterprise-coder-v1\nSvc-Checkpoint: ${expected.origin} 7 ${root}`,
    );
    assert.equal(withTrailers('', [assisted]), '\n\nAssisted-by: svc-coder:svc/enterprise-coder-v1');
  });

  it('are not there twice, and a checkpoint replaces the older one of its log', () => {
    const once = withTrailers('fix', [assisted, checkpoint]);
    assert.equal(withTrailers(once, [assisted, checkpoint]), once);
    const later = withTrailers(once, [checkpointTrailer(expected.origin, 9, root)]);
    assert.equal(later, once.replace(' 7 ', ' 9 '));
  });

  it('cannot be broken by the name of a model', () => {
    assert.equal(assistedBy('a\nSigned-off-by: evil').value, 'svc-coder:a_Signed-off-by:_evil');
  });

  it('are what git reads as trailers, after any message', () => {
    const line = fc.constantFrom(
      'fix: it',
      'Words of a body',
      '',
      'Signed-off-by: A <a@b>',
      'Co-authored-by: B <b@c>',
      ' more',
      'x: y',
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const message = withTrailers(['A title', '', ...lines].join('\n'), [assisted, checkpoint]);
        const parsed = spawnSync('git', ['interpret-trailers', '--parse'], { input: message, encoding: 'utf8' }).stdout;
        assert.ok(parsed.includes(`Assisted-by: ${assisted.value}\n`), message);
        assert.ok(parsed.includes(`Svc-Checkpoint: ${checkpoint.value}\n`), message);
      }),
      { numRuns: 60 },
    );
  });
});
