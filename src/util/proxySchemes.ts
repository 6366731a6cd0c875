/** Whether a proxy offers a scheme that needs the system's own tickets: Kerberos and NTLM. */
export function needsSystemSignIn(schemes: readonly string[] = []): boolean {
  return schemes.some((scheme) => /^(negotiate|kerberos|ntlm)$/i.test(scheme));
}
