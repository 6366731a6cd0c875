import { patternRule, type SecretRule, where, wordRule } from '../span.ts';
import { isRandom } from './named.ts';

const isMixed = (text: string): boolean => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);

/**
 * Tokens of services that are recognized by their shape, not by a prefix. Each pattern is bounded. A letter after a
 * backslash (`\n`) does not belong to the token after it.
 */
export const unprefixed: readonly SecretRule[] = [
  where(['Q~'], wordRule('azure-client-secret', /(?<!(?<!\\)[\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g)),
  // Keys of Azure's services contain the name of the service, then a checksum. No key has the length of a line of base64 in a
  // certificate (64) or in a mail (76), and a few of those lines look like a key.
  ...['APIM', 'ACDb', 'AIoT', 'AzFu', 'AzSe', '+ABa', '+AMC', '+ASt', '+ARm', '+ACR'].map((letters) =>
    where(
      [letters],
      wordRule(
        'azure-key',
        new RegExp(
          `(?<!(?<!\\\\)[A-Za-z0-9+/]|\\\\)[A-Za-z0-9+/]{32,80}${letters.replace('+', '\\+')}[A-Za-z0-9+/]{4,10}={0,2}(?![\\w+/=])`,
          'g',
        ),
        (secret) => secret.length !== 64 && secret.length !== 76,
      ),
    ),
  ),
  where(
    ['AZDO'],
    wordRule('azure-devops-token', /(?<!(?<!\\)[A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g),
  ),
  where(['sig='], patternRule('azure-signature', /[?&;]sig=(?<secret>[A-Za-z0-9%+/]{40,80}(?:%3D|=))/gi)),
  where(['.atlasv1.'], wordRule('terraform-token', /(?<!(?<!\\)[A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/g)),
  where(['_mmk'], wordRule('maxmind-key', /(?<!(?<!\\)[A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)/g)),
  where(['NRAL'], wordRule('new-relic-key', /(?<!(?<!\\)[A-Za-z0-9])[a-f0-9]{36}NRAL(?!\w)/g)),
  // The keys of Mailchimp and Mailgun.
  where(
    /-(?:us\d{1,2}|[a-h0-9]{8}-[a-h0-9]{8})(?![\w-])/,
    wordRule('mail-key', /(?<!(?<!\\)[\w-])[a-h0-9]{32}-(?:us\d{1,2}|[a-h0-9]{8}-[a-h0-9]{8})(?![\w-])/g),
  ),
  wordRule('telegram-bot-token', /(?<!(?<!\\)\w)\d{5,16}:A[\w-]{34}(?![\w-])/g),
  where(['s.'], wordRule('vault-token', /(?<!(?<!\\)[\w.$-])s\.[A-Za-z0-9]{24}(?![\w.(])/g, isRandom)),
  wordRule('discord-token', /(?<!(?<!\\)[\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])/g, isMixed),
  patternRule('facebook-token', /(?<!\d)\d{15,16}(?:\||%7C|%)[\w-]{27,40}(?![\w-])/g),
  wordRule('asana-token', /(?<!(?<!\\)[\w/])[0-2]\/\d{16}(?:\/\d{16})?:[a-f0-9]{32}(?!\w)/g),
  where(['.webhook.office.com/'], patternRule('teams-webhook', /\.webhook\.office\.com\/(?<secret>[\w@/-]{80,300})/g)),
  where(['_gitlab_session'], wordRule('gitlab-session', /_gitlab_session=(?<secret>[A-Za-z0-9]{32})/g)),
  where(
    ['assword'],
    patternRule(
      'nuget-password',
      /<add\s{1,8}key="(?:ClearText)?Password"\s{1,8}value="(?<secret>[^"\s%$][^"\r\n]{5,200})/gi,
    ),
  ),
];
