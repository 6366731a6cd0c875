import { patternRule, type SecretRule, wordRule } from '../span.ts';
import { commandPasswords } from './commands.ts';
import { kubernetesSecret } from './manifest.ts';
import { namedSecrets } from './named.ts';
import { prefixRule } from './prefixed.ts';
import { serviceTokens } from './services.ts';
import { unprefixed } from './unprefixed.ts';

/** A placeholder for a whole value: a variable, a template, stars. */
const placeholder =
  /^(?:\$\{.*\}?|\$\(.*\)?|\$[A-Za-z_]+|\$[A-Z_][A-Z0-9_]*|\{.*\}|<.*>|%[A-Z_][A-Z0-9_]*%|%\(.*\)s|%[sdvq]|\[[A-Za-z_ -]+\]|\*+|x+|\.+|…)$/;

/** Whether a text is a port with the text after it, or the tag of an image before its digest, or a placeholder. */
const isNoPassword = (text: string): boolean => /^\d{1,5}(?:[?#,&;].*)?$/.test(text) || placeholder.test(text);

/**
 * A URL with a user, a password and the start of a host. It is found by its slashes, which are rarer than words. The user may be an
 * address or have an apostrophe, but no colon. The password ends at the last @ before the host and may contain @.
 */
const urlPassword = (host: string): RegExp =>
  new RegExp(
    `(?<=(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20})://(?:[^\\s:/@'"\`<>]|(?<=\\w)'(?=\\w)){0,100}(?:@[\\w.-]{1,100})?:(?<secret>[^\\s/'"\`<>]{1,200})(?=@${host})(?!@sha\\d{3}[:-])`,
    'gi',
  );

/** The start of a template for a host, or of the path if there is no host. */
const templateHost = '(?:\\$[\\w{(]|\\{[a-z_{}]|%[a-z(]|<[a-z_]|/(?!/))';

/** A password that is, or has, a template, or that only names what belongs there: if the host is a template, most are. */
const template =
  /^(?:\$|%(?![\da-f]{2}))|[{}]|\$\(|^(?:your|my|the|db)?[_-]?(?:password|passwd|pass|pwd|secret|token|key)$/i;

/**
 * Whether a token begins with JSON with a name of a JWT header. It is not parsed: hostile text would cause a hundred thousand
 * parses.
 */
const isJwtHeader = (token: string): boolean => {
  const header = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url')
    .toString('latin1')
    .trimEnd();
  return header.endsWith('}') && /"(?:alg|typ|enc|kid|zip)"\s{0,8}:/.test(header);
};

/** Tokens that secretlint's recommended rules miss, or take too long to find, and the service's own keys. */
export const tokenRules: readonly SecretRule[] = [
  prefixRule(serviceTokens),
  ...unprefixed,
  ...namedSecrets,
  ...commandPasswords,
  kubernetesSecret,
  wordRule('svc-key', /(?<!(?<!\\)[A-Za-z0-9])svc_ent_[A-Za-z0-9_-]{4,200}/g),
  // `{"`, `{ ` and `{` with a line break, in base64; if the second part begins like this too, the header need not be readable.
  wordRule(
    'jwt',
    /(?<!(?<!\\)[\w-])(?:ey|ewo|ew0)[\w-]{6,4000}\.[\w-]{2,8000}\.[\w-]{0,4000}/g,
    (token) => /^ey[\w-]{16,}\.ey[\w-]{16,}\.[\w-]{9,}/.test(token) || isJwtHeader(token),
  ),
  // A JWT that is encoded twice.
  wordRule('jwt', /(?<!(?<!\\)[\w+/-])ZXlK[\w+/-]{40,12000}={0,2}/g, (coded) => {
    const token = Buffer.from(coded, 'base64').toString('latin1');
    return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token) && isJwtHeader(token);
  }),
  wordRule(
    'api-key',
    /(?<!(?<!\\)[\w-])sk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,200}(?![\w-])/g,
    (key) =>
      // Words in kebab-case are not keys.
      /\d/.test(key) && /[A-Za-z0-9_]{16}/.test(key),
  ),
  // A token of an app's installation: its id and a JWT. Only the number is tried at each position, never the long parts.
  wordRule('github-token', /(?<!(?<!\\)[\w-])ghs_\d{1,20}_[\w-]{1,1000}\.[\w-]{1,10000}\.[\w-]{1,1000}(?![\w-])/g),
  patternRule('npm-auth-token', /_authToken\s?=\s?["']?(?<secret>[^\s"'$<{][^\s"']{7,1000})/g),
  // A token as the user of a URL: no other rule treats a user as a secret.
  patternRule('github-token', /:\/\/(?<secret>[A-Za-z0-9_]{20,255})(?=:x-oauth-basic@)/g),
  patternRule(
    'azure-account-key',
    /(?:AccountKey|SharedAccessKey)\s{0,5}[=:]\s{0,5}(?<secret>[A-Za-z0-9+/]{40,100}(?:={1,2}|(?:\\u003d){1,2})?)/gi,
  ),
  patternRule(
    'url-password',
    urlPassword('[\\w[]'),
    (password) => !isNoPassword(password) && password !== 'x-oauth-basic',
  ),
  patternRule(
    'url-password',
    urlPassword(templateHost),
    (password) => !isNoPassword(password) && !template.test(password),
  ),
];
