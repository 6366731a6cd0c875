/** Whether a proxy offers a scheme that needs the credentials of the operating system: Kerberos or NTLM. */
export function needsSystemSignIn(schemes: readonly string[] = []): boolean {
  return schemes.some((scheme) => /^(negotiate|kerberos|ntlm)$/i.test(scheme));
}

/** The reason why a certificate was not accepted. `client`: the peer refused our certificate, or requires one. */
export type CertificateVerdict = 'expired' | 'not-yet-valid' | 'client' | 'name' | 'authority' | 'other';

/** Returns the reason for an error code of Node or OpenSSL. */
export function certificateVerdict(code: string): CertificateVerdict {
  if (code === 'CERT_HAS_EXPIRED') return 'expired';
  if (code === 'CERT_NOT_YET_VALID') return 'not-yet-valid';
  if (/ALERT/.test(code)) return 'client';
  if (/ALTNAME|HOSTNAME/.test(code)) return 'name';
  return /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code) ? 'authority' : 'other';
}
