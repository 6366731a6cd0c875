import assert from 'node:assert/strict';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf } from './send.ts';

describe('local service: Svc headers', () => {
  let service: LocalService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const allowed: Readonly<Record<string, readonly string[]>> = {
    'Svc-Security-Level': ['standard', 'high', 'maximum'],
    'Svc-Data-Residency': ['us-east', 'us-west', 'eu-west', 'asia-pacific'],
    'Svc-Audit-Enabled': ['true', 'false'],
    'Svc-Zero-Retention': ['true', 'false'],
    'Svc-Compliance-Frameworks': ['hipaa', 'sox', 'pci-dss', 'gdpr', 'hipaa,gdpr', 'sox, pci-dss'],
  };
  for (const [name, values] of Object.entries(allowed)) {
    it(`4.5 accepts ${name} with ${values.join(' | ')}`, async () => {
      for (const value of values) {
        const reply = await chat(service, 'hello', {}, { headers: { [name]: value } });
        assert.equal(reply.status, 200, value);
      }
    });

    it(`4.5 rejects ${name} with any other value, and lists the allowed values`, async () => {
      const [first = ''] = values;
      for (const value of ['', 'nonsense', first.toUpperCase(), `${first},`, `${first};${first}`]) {
        const reply = await chat(service, 'hello', {}, { headers: { [name]: value } });
        assert.equal(reply.status, 400, value);
        const { param, code, message } = errorOf(reply);
        assert.deepEqual([param, code], [name, 'invalid_header']);
        assert.ok(String(message).includes(name) && String(message).includes(`${values[0]}, ${values[1]}`));
      }
    });
  }

  it('4.5 states what is wrong with the value', async () => {
    const messageFor = async (value: string): Promise<unknown> =>
      errorOf(await chat(service, 'hello', {}, { headers: { 'Svc-Compliance-Frameworks': value } })).message;
    assert.match(String(await messageFor('')), /is empty/);
    assert.match(String(await messageFor('hipaa,,sox')), /has an empty item/);
    assert.match(String(await messageFor('hipaa,pci')), /has the value "pci", which does not exist/);
    assert.match(String(await messageFor('hipaa,  sox')), /in another case or with blanks/);
  });

  it('4.5 rejects an unknown Svc header, such as a misspelt one', async () => {
    const reply = await chat(service, 'hello', {}, { headers: { 'Svc-Zero-Retension': 'true' } });
    assert.equal(reply.status, 400);
    assert.equal(errorOf(reply).code, 'unknown_header');
  });

  it('2.2 sends a security object only if it received a Svc header, and marks it as invented', async () => {
    assert.equal('security' in (await chat(service, 'hello')).json(), false);
    const headers = {
      'Svc-Security-Level': 'maximum',
      'Svc-Data-Residency': 'eu-west',
      'Svc-Audit-Enabled': 'true',
      'Svc-Zero-Retention': 'false',
      'Svc-Compliance-Frameworks': 'hipaa,gdpr',
    };
    const reply = await chat(service, 'hello', {}, { headers });
    assert.deepEqual(reply.json().security, {
      note: 'content made up by the local test service',
      level: 'maximum',
      residency: 'eu-west',
      audit: true,
      zeroRetention: false,
      frameworks: ['hipaa', 'gdpr'],
      requestId: reply.headers['x-request-id'],
    });
  });

  it('4.5 reports the default standard if it received only other headers', async () => {
    const reply = await chat(service, 'hello', {}, { headers: { 'Svc-Audit-Enabled': 'false' } });
    const { level, residency, audit, frameworks } = reply.json().security as Record<string, unknown>;
    assert.deepEqual(
      { level, residency, audit, frameworks },
      { level: 'standard', residency: null, audit: false, frameworks: [] },
    );
  });
});
