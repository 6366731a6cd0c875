import assert from 'node:assert/strict';
import { type Cause, likelyCause } from '../../../src/client/diagnosis/likelyCause.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { type CertificateVerdict, certificateVerdict } from '../../../src/util/networkFacts.ts';
import { hostModule } from '../../tools/hostModule.ts';

/** The codes of Node and OpenSSL, what each means, the cause in the report and the words on a card. */
const table: readonly (readonly [code: string, verdict: CertificateVerdict, cause: Cause, words: RegExp])[] = [
  ['CERT_HAS_EXPIRED', 'expired', 'certificate-expired', /has expired/],
  ['CERT_NOT_YET_VALID', 'not-yet-valid', 'certificate-not-yet-valid', /not valid yet/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'name', 'certificate-name', /for another host/],
  ['HOSTNAME_MISMATCH', 'name', 'certificate-name', /for another host/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'authority', 'certificate-authority', /not signed by a trusted/],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'authority', 'certificate-authority', /not signed by a trusted/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'authority', 'certificate-authority', /not signed by a trusted/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'authority', 'certificate-authority', /not signed by a trusted/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client', 'client-certificate', /different client certificate/],
  ['CERT_REVOKED', 'other', 'certificate-other', /failed with CERT_REVOKED/],
];

describe('the verdict on a certificate', () => {
  for (const [code, verdict, cause, words] of table) {
    it(`is the same in the report and on a card: ${code}`, async () => {
      assert.equal(certificateVerdict(code), verdict);
      const error = { kind: 'certificate', code, status: undefined, requestId: undefined } as const;
      assert.equal(likelyCause([{ step: 'health', state: 'failed', durationMs: 1, facts: {}, error }]), cause);
      const { certificateWords } = await hostModule<
        typeof import('../../../src/platform/messages/errors/describeNetwork.ts')
      >('src/platform/messages/errors/describeNetwork.ts', 'en');
      const { title, detail } = certificateWords(
        new ServiceError('certificate', 'For the log.', { externalCode: code }),
        'api.test',
      );
      assert.match(`${title} ${detail}`, words);
    });
  }
});
