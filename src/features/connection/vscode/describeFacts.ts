import * as vscode from 'vscode';
import type { FactName, FactValue } from '../../../client/diagnosis/facts.ts';
import type { NotTried } from '../../../client/diagnosis/likelyCause.ts';

const t = vscode.l10n.t;

/** Explains why a step was not tried. */
export function notTriedWords(why: NotTried): string {
  switch (why) {
    case 'settings':
      return t('the network settings are not allowed');
    case 'no-answer':
      return t('the service did not answer');
    case 'no-key':
      return t('no key stored');
    case 'no-time':
      return t('the service does not report its time');
  }
}

/** Returns a value as text; external text is shown unchanged. */
export function factValue(value: FactValue): string {
  if (typeof value === 'string') return value;
  switch (value.is) {
    case 'direct':
      return t('direct');
    case 'named-by-system':
      return t('the system');
    case 'named-by-environment':
      return t('the environment');
    case 'no-user-name':
      return t('no user name');
    case 'with-user-name':
      return t('with a user name');
    case 'accepted':
      return t('accepted');
    case 'trusted':
      return t('trusted');
    case 'not-trusted':
      return t('not trusted');
    case 'unknown':
      return t('unknown');
    case 'unreadable':
      return t('unreadable');
    case 'without-tls':
      return t('without TLS');
    case 'undici-for-vscode':
      return t('undici; requests use the stack of VS Code');
    case 'no-key':
      return t('no key stored');
    case 'stored-key':
      return t('Bearer <stored key>');
    case 'none':
      return value.code === undefined ? t('none') : t('none ({0})', value.code);
    case 'unusable-proxy':
      return t('a proxy that cannot be used ({0})', value.host ?? t('unreadable'));
    case 'port':
      return t('{0} port {1}', value.address, value.port);
    case 'seconds':
      return t('{0} s', value.count);
    case 'names':
      return value.names.map((name) => (name === '' ? t('unnamed') : name)).join(' < ');
  }
}

export function factLabel(name: FactName): string {
  switch (name) {
    case 'to':
      return t('to');
    case 'stack':
      return t('stack');
    case 'via':
      return t('via');
    case 'named-by':
      return t('named by');
    case 'sign-in':
      return t('sign-in');
    case 'service':
      return t('service');
    case 'ipv4':
      return t('IPv4');
    case 'ipv6':
      return t('IPv6');
    case 'proxy':
      return t('proxy');
    case 'proxy-ipv4':
      return t('proxy IPv4');
    case 'proxy-ipv6':
      return t('proxy IPv6');
    case 'address':
      return t('address');
    case 'through':
      return t('through');
    case 'protocol':
      return t('protocol');
    case 'certificate':
      return t('certificate');
    case 'verdict':
      return t('verdict');
    case 'subject':
      return t('subject');
    case 'issuer':
      return t('issuer');
    case 'chain':
      return t('chain');
    case 'valid-from':
      return t('valid from');
    case 'valid-to':
      return t('valid to');
    case 'days-left':
      return t('days left');
    case 'alternative-names':
      return t('alternative names');
    case 'fingerprint':
      return t('fingerprint (SHA-256)');
    case 'checked-with':
      return t('checked with');
    case 'status':
      return t('status');
    case 'key':
      return t('key');
    case 'models':
      return t('models');
    case 'clock-ahead':
      return t('ahead of the service by');
    case 'host':
      return t('host');
    case 'file':
      return t('file');
    case 'reason':
      return t('reason');
  }
}
