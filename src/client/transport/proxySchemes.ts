import type { ResponseHeaders } from '../exchange.ts';

/** The authentication schemes that a proxy offers with 407. */
export function offeredSchemes(headers: ResponseHeaders): readonly string[] {
  const lines = [headers['proxy-authenticate'] ?? []].flat();
  // A scheme begins a line, or follows a comma without being the name of a parameter.
  const schemes = lines.flatMap((line) => [
    ...line.matchAll(/(?:^|,)\s*([A-Za-z][\w-]{0,30})(?=\s*(?:,|$)|\s+[^\s=])/g),
  ]);
  return [...new Set(schemes.map(([, scheme = '']) => scheme))];
}

/** Kerberos and NTLM need the system's own tickets. */
export function needsSystemSignIn(schemes: readonly string[] = []): boolean {
  return schemes.some((scheme) => /^(negotiate|kerberos|ntlm)$/i.test(scheme));
}
