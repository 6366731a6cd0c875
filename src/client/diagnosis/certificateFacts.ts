import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Facts, FactValue } from './facts.ts';

const day = 86_400_000;
/** The maximum number of certificates to report; a longer chain indicates a misconfiguration. */
const maxChain = 10;

/** The facts about the peer of a TLS connection, and the result of our certificate check. `now` is in milliseconds. */
export function certificateFacts(socket: TLSSocket, now: number): Facts {
  const protocol: Facts = { protocol: socket.getProtocol() ?? { is: 'unknown' } };
  const leaf = socket.getPeerCertificate(true);
  // Node returns an empty object if the peer showed no certificate.
  if (leaf.raw === undefined) return { ...protocol, certificate: { is: 'none' } };
  return {
    ...protocol,
    verdict: socket.authorized ? { is: 'trusted' } : verdictOf(socket),
    subject: { is: 'names', names: [nameOf(leaf.subject)] },
    issuer: { is: 'names', names: [nameOf(leaf.issuer)] },
    chain: { is: 'names', names: chainOf(leaf) },
    'valid-from': instant(leaf.valid_from),
    'valid-to': instant(leaf.valid_to),
    'days-left': String(Math.floor((Date.parse(leaf.valid_to) - now) / day)),
    'alternative-names': String((leaf.subjectaltname ?? '').split(',').filter((name) => name.trim() !== '').length),
    fingerprint: leaf.fingerprint256,
  };
}

/** The result of the certificate check. Node types `authorizationError` as an Error, but stores a code in it. */
function verdictOf({ authorizationError }: TLSSocket): FactValue {
  const verdict: unknown = authorizationError;
  if (typeof verdict === 'string') return verdict;
  return verdict instanceof Error && 'code' in verdict ? String(verdict.code) : { is: 'not-trusted' };
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

/** The common name, or the organization for authorities without one; may be empty. */
function nameOf({ CN, O }: DetailedPeerCertificate['subject']): string {
  const [name = ''] = [CN ?? O ?? ''].flat();
  return name;
}

function instant(written: string): FactValue {
  const time = Date.parse(written);
  return Number.isNaN(time) ? { is: 'unreadable' } : new Date(time).toISOString();
}
