import assert from 'node:assert/strict';
import type { DeliveryFault } from '../../../../src/policy/managed/fileValues.ts';
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

  it('say in the panel that the newest one does not apply, but not if its address cannot be reached for some hours', async () => {
    const { faultCard } = await hostModule<typeof import('../../../../src/platform/messages/describeManaged.ts')>(
      'src/platform/messages/describeManaged.ts',
      'en',
    );
    const [hour, expires] = [3_600_000, Date.parse('2026-12-26T10:00:00Z')];
    const at = (fault: DeliveryFault | null, hoursLeft: number) => {
      const card = faultCard({ serial: 1, issued: 0, expires, checked: 0, fault }, expires - hoursLeft * hour);
      return card === null ? null : [card.title, card.detail];
    };
    const title = 'The managed policy could not be renewed. The current one applies until 2026-12-26T10:00:00Z.';
    const unreachable = { reason: 'unreachable', host: 'a', error: new ServiceError('network', '', {}) } as const;
    assert.equal(at(null, 1), null);
    assert.equal(at(unreachable, 100), null);
    assert.deepEqual(at(unreachable, 70), [
      title,
      'The policy could not be fetched: Cannot reach a. The connection was lost.',
    ]);
    assert.deepEqual(at({ reason: 'not-signed' }, 1_000), [
      title,
      'The fetched policy has no valid signature of a known key. Contact your administrator.',
    ]);
    assert.deepEqual(at({ reason: 'not-stored', detail: 'EACCES' }, 1_000), [
      'The fetched policy could not be stored (EACCES), so it applies only until this window is closed.',
      'Contact your administrator.',
    ]);
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
