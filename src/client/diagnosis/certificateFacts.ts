import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';

const day = 86_400_000;
/** Longer chains indicate a misconfiguration. */
const maxChain = 10;

/** The peer of a TLS connection, and the result of our certificate check. `now` is in milliseconds. */
export function certificateFacts(socket: TLSSocket, now: number): Record<string, string> {
  const protocol = { protocol: socket.getProtocol() ?? 'unknown' };
  const leaf = socket.getPeerCertificate(true);
  // Node returns an empty object if the peer showed no certificate.
  if (leaf.raw === undefined) return { ...protocol, certificate: 'none' };
  return {
    ...protocol,
    verdict: socket.authorized ? 'trusted' : verdictOf(socket),
    subject: nameOf(leaf.subject),
    issuer: nameOf(leaf.issuer),
    chain: chainOf(leaf).join(' < '),
    'valid from': instant(leaf.valid_from),
    'valid to': instant(leaf.valid_to),
    'days left': String(Math.floor((Date.parse(leaf.valid_to) - now) / day)),
    'alternative names': String((leaf.subjectaltname ?? '').split(',').filter((name) => name.trim() !== '').length),
    'fingerprint (SHA-256)': leaf.fingerprint256,
  };
}

/** Typed as an Error, but Node stores the code in it. */
function verdictOf({ authorizationError }: TLSSocket): string {
  const verdict: unknown = authorizationError;
  if (typeof verdict === 'string') return verdict;
  return verdict instanceof Error && 'code' in verdict ? String(verdict.code) : 'not trusted';
}

function chainOf(leaf: DetailedPeerCertificate): readonly string[] {
  const names: string[] = [];
  for (let one: DetailedPeerCertificate | undefined = leaf; one?.raw !== undefined && names.length < maxChain; ) {
    names.push(nameOf(one.subject));
    // A root authority is its own issuer.
    one = one.issuerCertificate === one ? undefined : one.issuerCertificate;
  }
  return names;
}

/** The common name, or the organisation for authorities without one. */
function nameOf({ CN, O }: DetailedPeerCertificate['subject']): string {
  const [name = ''] = [CN ?? O ?? ''].flat();
  return name === '' ? 'unnamed' : name;
}

function instant(written: string): string {
  const time = Date.parse(written);
  return Number.isNaN(time) ? 'unreadable' : new Date(time).toISOString();
}
