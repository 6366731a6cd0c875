import * as vscode from 'vscode';
import type { ServiceError } from '../../util/errors.ts';

const t = vscode.l10n.t;

/** What is wrong with the connection to the service, and which setting fixes it. No check can be bypassed. */
export interface NetworkWords {
  readonly title: string;
  readonly detail: string;
  /** The setting to open. */
  readonly setting: 'http.proxy' | 'svc.network';
}

export function proxyWords(error: ServiceError<'proxy'>): NetworkWords {
  const { code, externalCode, host = t('of the system'), reason = '' } = error;
  const setting = 'http.proxy';
  switch (code) {
    case 'proxy-auth':
      return /\b(negotiate|kerberos|ntlm)\b/i.test(reason)
        ? {
            title: t('The proxy {0} asks for sign-in', host),
            detail: t(
              'It offers {0}. VS Code’s own network stack, which svc.network.stack chooses, can sign in with Kerberos.',
              reason,
            ),
            setting: 'svc.network',
          }
        : {
            title: t('The proxy {0} asks for sign-in', host),
            detail: t('Put a user name and a password that it accepts into http.proxy.'),
            setting,
          };
    case 'proxy-refused':
      return {
        title: t('The proxy {0} did not let the request through', host),
        detail: t('Ask whoever runs it, or list the service in http.noProxy.'),
        setting,
      };
    case 'proxy-scheme':
      return {
        title: t('The proxy {0} is neither an HTTP nor an HTTPS proxy', host),
        detail: t('VS Code’s own network stack, which svc.network.stack chooses, may know it.'),
        setting: 'svc.network',
      };
    case 'proxy-url':
      return {
        title: t('The address of the proxy cannot be read'),
        detail: t('It is in http.proxy, or else in HTTPS_PROXY or HTTP_PROXY of the environment.'),
        setting,
      };
    case undefined:
      // A 407 response that did not come through a configured proxy has no host.
      return error.host === undefined
        ? { title: t('A proxy before the service asks for sign-in'), detail: t('Check http.proxy.'), setting }
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
  const because = fileReason(error.reason ?? '');
  switch (code) {
    case 'tls-check-off':
      return {
        title: t('NODE_TLS_REJECT_UNAUTHORIZED=0 is set'),
        detail: t(
          'It asks for certificates not to be checked, so nothing is sent. Remove it from the environment, restart VS Code, and name your authority in svc.network.caFile.',
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
      return { title: t('The client certificate and its key do not belong together'), detail: file, setting };
    case undefined:
      return /ALERT/.test(externalCode)
        ? {
            title: t('{0} asks for another client certificate', host),
            detail: t(
              'Name it in svc.network.clientCertificate, and its key in svc.network.clientKey ({0}).',
              externalCode,
            ),
            setting,
          }
        : { title: t('The certificate of {0} cannot be trusted', host), detail: verdict(externalCode), setting };
  }
}

function verdict(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return t('It has expired.');
  if (code === 'CERT_NOT_YET_VALID') return t('It is not valid yet. Check the clock of this machine.');
  if (/ALTNAME|HOSTNAME/.test(code)) return t('It is for another host.');
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code)) {
    return t('Nobody known here vouches for it. If your company does, name its authority in svc.network.caFile.');
  }
  return t('The check ended with {0}.', code === '' ? t('an unknown reason') : code);
}

function fileReason(reason: string): string {
  switch (reason) {
    case 'ENOENT':
      return t('there is no such file.');
    case 'EACCES':
    case 'EPERM':
      return t('it may not be read.');
    case 'EISDIR':
      return t('it is a folder.');
    case 'not-absolute':
      return t('the path has to be absolute, or begin with ~/.');
    case 'no-certificate':
      return t('there is no certificate in PEM form in it.');
    case 'no-key':
      return t('there is no private key in PEM form in it.');
    case 'key-alone':
      return t('svc.network.clientKey is set, but svc.network.clientCertificate is not.');
    case 'encrypted':
      return t('it is encrypted, and a passphrase cannot be given.');
    case 'malformed':
      return t('its content is damaged.');
    default:
      return t('it cannot be used ({0}).', reason);
  }
}
