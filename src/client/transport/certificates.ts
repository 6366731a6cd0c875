import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { createSecureContext, getCACertificates, rootCertificates, type SecureContext } from 'node:tls';
import { type FileFault, isServiceError, ServiceError, systemFaults } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import type { NetworkOptions } from './network.ts';

/** The trusted authorities, and the client certificate. */
export interface Trust {
  /** The context for the service, with the client certificate if there is one. */
  readonly service: SecureContext;
  /** The context for a proxy, which does not receive the client certificate. */
  readonly proxy: SecureContext;
  readonly ca: readonly string[];
}

type FileCode = 'ca-file' | 'client-certificate' | 'client-key' | 'key-mismatch';
type Sources = Pick<NetworkOptions, 'env' | 'systemCertificates' | 'caFile' | 'clientCertificate' | 'clientKey'>;

/** A cache key that changes when the settings or the files that they name change, such as a renewed certificate. */
export function trustCacheKey({ env, systemCertificates, caFile, clientCertificate, clientKey }: Sources): string {
  const files = [caFile, clientCertificate, clientKey, env?.NODE_EXTRA_CA_CERTS];
  return JSON.stringify([systemCertificates, ...files.map((file) => [file, stampOf(file)])]);
}

function stampOf(file: string | undefined): string | undefined {
  if (file === undefined || file === '') return undefined;
  try {
    const { mtimeMs, size } = statSync(expand(file));
    return `${mtimeMs} ${size}`;
  } catch (error) {
    return codeOf(error);
  }
}

/**
 * Reads all files that the settings name. A security context is created once, not for each connection: parsing hundreds
 * of authorities takes tens of milliseconds.
 * @throws ServiceError (certificate) with the file and the reason.
 */
export function readTrust(sources: Sources, logger: Logger): Trust {
  const ca = [
    ...new Set([
      ...knownAuthorities(sources.systemCertificates),
      ...extraAuthorities(sources, logger),
      ...configuredAuthorities(sources),
    ]),
  ];
  const identity = readIdentity(sources);
  const proxy = createSecureContext({ ca });
  if (identity === undefined) return { service: proxy, proxy, ca };
  try {
    return { service: createSecureContext({ ca, cert: identity.cert, key: identity.key }), proxy, ca };
  } catch (error) {
    throw unreadable('client-certificate', identity.file, error);
  }
}

/** Node's built-in authorities and the machine's authorities, which usually include a company's own. */
function knownAuthorities(systemCertificates = true): readonly string[] {
  if (!systemCertificates || typeof getCACertificates !== 'function') return rootCertificates;
  return [...rootCertificates, ...getCACertificates('system')];
}

/** The authorities of NODE_EXTRA_CA_CERTS. Like Node, continues without a file that cannot be read, and logs a warning. */
function extraAuthorities({ env }: Sources, logger: Logger): readonly string[] {
  const file = env?.NODE_EXTRA_CA_CERTS;
  if (file === undefined || file === '') return [];
  try {
    return readCertificates('ca-file', file);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    logger.warn(`NODE_EXTRA_CA_CERTS is not used: ${error.message}`);
    return [];
  }
}

function configuredAuthorities({ caFile = '' }: Sources): readonly string[] {
  return caFile === '' ? [] : readCertificates('ca-file', caFile);
}

interface Identity {
  readonly cert: string;
  readonly key: string;
  readonly file: string;
}

function readIdentity({ clientCertificate = '', clientKey = '' }: Sources): Identity | undefined {
  if (clientCertificate === '') {
    if (clientKey === '') return undefined;
    throw fileError('client-certificate', clientKey, 'key-alone');
  }
  const chain = readCertificates('client-certificate', clientCertificate);
  const keyFile = clientKey === '' ? clientCertificate : clientKey;
  const key = readKey(keyFile);
  if (!new X509Certificate(chain[0] ?? '').checkPrivateKey(key)) throw fileError('key-mismatch', keyFile);
  return { cert: chain.join('\n'), key: String(key.export({ type: 'pkcs8', format: 'pem' })), file: clientCertificate };
}

function readCertificates(code: FileCode, file: string): readonly string[] {
  const blocks = read(code, file).match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END [^-]+-----/g);
  if (blocks === null) throw fileError(code, file, 'no-certificate');
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch {
    throw fileError(code, file, 'malformed');
  }
  return blocks;
}

function readKey(file: string): KeyObject {
  const [block] = read('client-key', file).match(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [^-]+-----/) ?? [];
  if (block === undefined) throw fileError('client-key', file, 'no-key');
  if (/BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(block)) throw fileError('client-key', file, 'encrypted');
  try {
    return createPrivateKey(block);
  } catch {
    throw fileError('client-key', file, 'malformed');
  }
}

function read(code: FileCode, file: string): string {
  const path = expand(file);
  // The base of a relative path would differ between windows.
  if (!isAbsolute(path)) throw fileError(code, file, 'not-absolute');
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    throw unreadable(code, file, error);
  }
}

function expand(file: string): string {
  return /^~[\\/]/.test(file) ? join(homedir(), file.slice(2)) : file;
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'malformed';
}

function fileError(code: FileCode, file: string, fileFault?: FileFault): ServiceError {
  return new ServiceError('certificate', `${code}: ${file} cannot be used (${fileFault ?? code}).`, {
    code,
    file,
    details: { fileFault },
  });
}

/** The error for a file that the system or OpenSSL cannot read. */
function unreadable(code: FileCode, file: string, error: unknown): ServiceError {
  const reason = codeOf(error);
  const fault = [...systemFaults, 'malformed' as const].find((known) => known === reason);
  if (fault !== undefined) return fileError(code, file, fault);
  return new ServiceError('certificate', `${code}: ${file} cannot be used (${reason}).`, { code, file, reason });
}
