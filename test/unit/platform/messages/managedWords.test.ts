import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/util/errors.ts';
import { hostModule } from '../../../tools/hostModule.ts';

describe('the words about a managed policy that cannot be used', () => {
  it('are loaded when they are needed, and then name the place, the value and what is allowed', async () => {
    const words = await hostModule<typeof import('../../../../src/platform/messages/managedWords.ts')>(
      'src/platform/messages/managedWords.ts',
      'en',
    );
    const problem = {
      reason: 'malformed',
      where: { kind: 'key', path: 'limits.requestsPerDay' },
      found: { kind: 'value', json: '0' },
      allowed: { kind: 'number', isWhole: true, minimum: 1 },
    } as const;
    assert.equal(words.managedProblemWords(problem), '');
    await words.loadManagedWords();
    assert.equal(
      words.managedProblemWords(problem),
      'Found 0 at limits.requestsPerDay. Allowed: an integer of at least 1.',
    );
    assert.equal(
      words.managedProblemWords({ ...problem, allowed: { kind: 'instructions', orNull: true } }),
      'Found 0 at limits.requestsPerDay. Allowed: text of 1 to 8,192 bytes, not only white space, without NUL characters, null.',
    );
  });

  it('say why a delivered policy could not be fetched, and what the user can do', async () => {
    const { describeDeliveryFault } = await hostModule<
      typeof import('../../../../src/platform/messages/describeManaged.ts')
    >('src/platform/messages/describeManaged.ts', 'en');
    const certificate = (externalCode: string) => new ServiceError('certificate', '', { externalCode });
    const untrusted = 'The certificate of policy.example.com is not trusted.';
    for (const [error, words] of [
      [
        certificate('CERT_NOT_YET_VALID'),
        `${untrusted} The certificate is not valid yet. Check the clock of this machine.`,
      ],
      [
        certificate('CERT_HAS_EXPIRED'),
        `${untrusted} The certificate has expired, or the clock of this machine is wrong.`,
      ],
      [
        certificate('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
        `${untrusted} The certificate is not signed by a trusted authority. If your company signed it, set svc.network.caFile to your company’s CA certificate.`,
      ],
      [
        new ServiceError('network', '', { externalCode: 'ECONNREFUSED' }),
        'Cannot reach policy.example.com. The connection failed with ECONNREFUSED.',
      ],
      [new ServiceError('network', '', {}), 'Cannot reach policy.example.com. The connection was lost.'],
      [
        new ServiceError('proxy', '', { code: 'proxy-auth', host: 'proxy:8080' }),
        'The proxy proxy:8080 requires sign-in. Add a user name and password for the proxy to http.proxy.',
      ],
      [new ServiceError('timeout', '', { code: 'check' }), 'no answer in time.'],
      [new ServiceError('request', '', { status: 404 }), 'request rejected, 404.'],
      [new ServiceError('protocol', '', { status: 302, code: 'redirect' }), 'unexpected answer, 302, a redirect.'],
    ] as const) {
      const said = describeDeliveryFault({ reason: 'unreachable', host: 'policy.example.com', error });
      assert.equal(said, `The policy could not be fetched: ${words}`);
    }
  });

  it('name the clock of the computer once, if a policy is of another time', async () => {
    const { describeDeliveryFault, describeManagedProblem } = await hostModule<
      typeof import('../../../../src/platform/messages/describeManaged.ts')
    >('src/platform/messages/describeManaged.ts', 'en');
    const time = Math.ceil(Date.now() / 1_000) * 1_000 + 1_800_000;
    const shown = new Date(time).toISOString().replace('.000Z', 'Z');
    const fault = { reason: 'future', time } as const;
    const clock = 'and the clock of this computer shows 2';
    assert.ok(describeDeliveryFault(fault).startsWith(`The fetched policy was issued at ${shown}, ${clock}`));
    const words = describeManagedProblem({ reason: 'expired', issued: time, expires: time + 1, fault });
    assert.equal(words.split(clock).length, 2, words);
  });
});
