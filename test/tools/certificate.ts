import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate and its key (PEM), generated so that the repository contains no private key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** An IPv4 address or a DNS name. */
  readonly host: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** An authority that only clients with its certificate trust. */
export interface Authority extends Certificate {
  /** Issues a certificate for a server with this name, or for a client with this name. */
  issue(options: CertificateOptions): Certificate;
}

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const day = 86_400_000;
let serial = 0;

/** Valid from yesterday until tomorrow. */
export const today = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };

export function selfSigned(options: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [subjectAlternativeName(options.host)];
  const cert = certificate({ ...options, subject: 'test', issuer: 'test', publicKey, signer: privateKey, extensions });
  return { cert, key: pem(privateKey) };
}

export function createAuthority(name = 'test authority'): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAuthority = der(0x01, Buffer.of(0xff));
  const extensions = [extension([0x55, 0x1d, 0x13], sequence(isAuthority), true)];
  const parts = { ...today, subject: name, issuer: name, publicKey, signer: privateKey, extensions };
  return {
    cert: certificate(parts),
    key: pem(privateKey),
    issue(options) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const cert = certificate({
        ...options,
        subject: options.host,
        issuer: name,
        publicKey: own.publicKey,
        signer: privateKey,
        extensions: [subjectAlternativeName(options.host)],
      });
      return { cert, key: pem(own.privateKey) };
    },
  };
}

interface Parts {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
}

/**
 * The few DER structures of X.509 (RFC 5280) that Node's TLS requires. Node can read certificates but not create them.
 */
function certificate({ subject, issuer, notBefore, notAfter, publicKey, signer, extensions }: Parts): string {
  serial += 1;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.of(1, serial >> 8, serial & 0xff)), // serial number
    ecdsaWithSha256,
    commonName(issuer),
    sequence(utcTime(notBefore), utcTime(notAfter)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, signer)]));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function pem(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));
}

function subjectAlternativeName(host: string): Buffer {
  return extension([0x55, 0x1d, 0x11], sequence(alternativeName(host)));
}

function extension(id: readonly number[], value: Uint8Array, isCritical = false): Buffer {
  return sequence(oid(...id), ...(isCritical ? [der(0x01, Buffer.of(0xff))] : []), der(0x04, value));
}

function alternativeName(host: string): Buffer {
  const octets = host.split('.').map(Number);
  const isAddress = octets.length === 4 && octets.every((octet) => octet >= 0 && octet < 256);
  return isAddress ? der(0x87, Buffer.from(octets)) : der(0x82, Buffer.from(host));
}

function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Uint8Array[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
