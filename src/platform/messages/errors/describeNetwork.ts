import * as vscode from 'vscode';
import type { FileFault, ServiceError } from '../../../util/errors.ts';
import { certificateVerdict, needsSystemSignIn } from '../../../util/networkFacts.ts';
import { errorName, errorWords, kindName } from '../errorName.ts';

const t = vscode.l10n.t;

/** A problem with the connection to the service, and the setting that fixes it. No check can be bypassed. */
interface NetworkWords {
  readonly title: string;
  readonly detail: string;
  /** The setting to open. */
  readonly setting: 'http.proxy' | 'svc.network';
}

/** Explains in sentences why a request without content failed, even where no action is offered. `host` is where it was to go. */
export function failureWords(error: ServiceError, host: string): { readonly title: string; readonly detail?: string } {
  switch (error.kind) {
    case 'network':
      return networkWords(error, host);
    case 'proxy':
      return proxyWords(error);
    case 'certificate':
      return certificateWords(error, error.host ?? host);
    default: {
      const name = errorName(error);
      return { title: errorWords(error.kind, name === kindName(error.kind) ? '' : name) };
    }
  }
}

export function networkWords({ host, externalCode }: ServiceError<'network'>, asked: string) {
  return {
    title: t('Cannot reach {0}', host ?? asked),
    detail:
      externalCode === undefined ? t('The connection was lost.') : t('The connection failed with {0}.', externalCode),
  };
}

export function proxyWords(error: ServiceError<'proxy'>): NetworkWords {
  const { code, externalCode, host = t('of the system'), details } = error;
  const setting = 'http.proxy';
  switch (code) {
    case 'proxy-auth':
      return needsSystemSignIn(details.schemes)
        ? {
            title: t('The proxy {0} requires sign-in', host),
            detail: t(
              'It offers {0}. VS Code’s network stack can sign in with Kerberos; select it in svc.network.stack.',
              details.schemes?.join(', ') ?? '',
            ),
            setting: 'svc.network',
          }
        : {
            title: t('The proxy {0} requires sign-in', host),
            detail: t('Add a user name and password for the proxy to http.proxy.'),
            setting,
          };
    case 'proxy-refused':
      return {
        title: t('The proxy {0} blocked the request', host),
        detail: t('Contact its administrator, or add the service to http.noProxy.'),
        setting,
      };
    case 'proxy-scheme':
      return {
        title: t('The proxy {0} is not an HTTP or HTTPS proxy', host),
        detail: t('VS Code’s network stack may be able to resolve it; select it in svc.network.stack.'),
        setting: 'svc.network',
      };
    case 'proxy-url':
      return {
        title: t('The address of the proxy is invalid'),
        detail: t('The address comes from http.proxy or from the environment variables HTTPS_PROXY or HTTP_PROXY.'),
        setting,
      };
    case undefined:
      // A 407 response that did not come through a configured proxy has no host.
      return error.host === undefined
        ? { title: t('A proxy in front of the service requires sign-in'), detail: t('Check http.proxy.'), setting }
        : {
            title: t('The proxy {0} cannot be reached', host),
            detail: t('The connection failed with {0}. Check http.proxy.', externalCode ?? t('an unknown reason')),
            setting,
          };
  }
}

export function certificateWords(error: ServiceError<'certificate'>, host: string): NetworkWords {
  const setting = 'svc.network';
  const { code, externalCode = '', file = '' } = error;
  const because = unusableFile(error);
  switch (code) {
    case 'tls-check-off':
      return {
        title: t('NODE_TLS_REJECT_UNAUTHORIZED=0 is set'),
        detail: t(
          'This variable turns off certificate checks, so nothing is sent. Remove it from the environment, restart VS Code, and set svc.network.caFile to the CA certificate of your company.',
        ),
        setting,
      };
    case 'ca-file':
      return { title: t('The CA file cannot be used'), detail: `${file}: ${because}`, setting };
    case 'client-certificate':
      return { title: t('The client certificate cannot be used'), detail: `${file}: ${because}`, setting };
    case 'client-key':
      return { title: t('The key of the client certificate cannot be used'), detail: `${file}: ${because}`, setting };
    case 'key-mismatch':
      return { title: t('The client certificate and its key do not match'), detail: file, setting };
    case undefined:
      return untrusted(externalCode, host);
  }
}

function untrusted(code: string, host: string): NetworkWords {
  const setting = 'svc.network';
  const title = t('The certificate of {0} is not trusted', host);
  switch (certificateVerdict(code)) {
    case 'client':
      return {
        title: t('{0} requires a different client certificate', host),
        detail: t('Set svc.network.clientCertificate, and svc.network.clientKey for its key ({0}).', code),
        setting,
      };
    case 'expired':
      return { title, detail: t('The certificate has expired, or the clock of this machine is wrong.'), setting };
    case 'not-yet-valid':
      return { title, detail: t('The certificate is not valid yet. Check the clock of this machine.'), setting };
    case 'name':
      return { title, detail: t('The certificate is for another host.'), setting };
    case 'authority':
      return {
        title,
        detail: t(
          'The certificate is not signed by a trusted authority. If your company signed it, set svc.network.caFile to your company’s CA certificate.',
        ),
        setting,
      };
    case 'other':
      return { title, detail: t('The check failed with {0}.', code === '' ? t('an unknown reason') : code), setting };
  }
}

function unusableFile({ details, reason }: ServiceError<'certificate'>): string {
  if (details.fileFault !== undefined) return faultWords(details.fileFault);
  return t('it cannot be used ({0}).', reason ?? t('an unknown reason'));
}

function faultWords(fault: FileFault): string {
  switch (fault) {
    case 'ENOENT':
      return t('the file does not exist.');
    case 'EACCES':
    case 'EPERM':
      return t('access is denied.');
    case 'EISDIR':
      return t('it is a folder.');
    case 'not-absolute':
      return t('the path must be absolute or start with ~/.');
    case 'no-certificate':
      return t('it contains no certificate in PEM format.');
    case 'no-key':
      return t('it contains no private key in PEM format.');
    case 'key-alone':
      return t('svc.network.clientKey is set, but svc.network.clientCertificate is not.');
    case 'encrypted':
      return t('it is encrypted, and passphrases are not supported.');
    case 'malformed':
      return t('its content is damaged.');
  }
}
