import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import type { Card } from '../../../../src/protocol/card.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { inForceFrom } from '../../../tools/managedPolicy.ts';

describe('who the audit log names', () => {
  let identity: typeof import('../../../../src/features/audit/vscode/identity.ts');
  before(async () => {
    identity = await hostModule('src/features/audit/vscode/identity.ts', 'en');
  });
  const userAt = (file: object, subject?: string) => identity.auditUser(inForceFrom(file), () => subject);
  const cardAt = (file: object, subject?: string): Card | null =>
    identity.identityCard(inForceFrom(file), () => subject);

  it('is nobody without the key of the policy, and while the policy is missing or broken', () => {
    assert.equal(userAt({}, 'jane'), undefined);
    assert.equal(userAt({ identity: 'none' }, 'jane'), undefined);
    assert.equal(
      identity.auditUser({ state: 'none' }, () => 'jane'),
      undefined,
    );
    assert.equal(cardAt({}, 'jane'), null);
    assert.equal(cardAt({ identity: 'none' }, 'jane'), null);
  });

  it('is the account of the operating system, whatever the helper says', () => {
    assert.equal(userAt({ identity: 'account' }, 'jane'), userInfo().username);
    assert.match(cardAt({ identity: 'account' })?.title ?? '', new RegExp(`names you: ${userInfo().username}$`));
  });

  it('is the subject of the helper for the connection in use, and an error of the code is not hidden', () => {
    const connection = { name: null, baseUrl: 'https://svc.example.com/api/v1', origin: 'https://svc.example.com' };
    const sourceWith = (requireConnection: () => typeof connection) =>
      identity.subjectOf({
        contextReader: { requireConnection },
        keys: { identityOf: ({ origin }) => `jane at ${origin}` },
      });
    assert.equal(sourceWith(() => connection)(), 'jane at https://svc.example.com');
    assert.throws(
      sourceWith(() => {
        throw new TypeError('broken');
      }),
      TypeError,
    );
  });

  it('is the subject of the helper once it is known', () => {
    assert.equal(userAt({ identity: 'subject' }, 'jane@example.com'), 'jane@example.com');
    assert.equal(userAt({ identity: 'subject' }), undefined);
    assert.match(cardAt({ identity: 'subject' }, 'jane@example.com')?.title ?? '', /names you: jane@example\.com$/);
    const { title, actions } = cardAt({ identity: 'subject' }) ?? assert.fail();
    assert.match(title, /names you, as your sign-in does\.$/);
    assert.deepEqual(
      actions?.map(({ id }) => id),
      ['showPolicy'],
    );
  });
});
