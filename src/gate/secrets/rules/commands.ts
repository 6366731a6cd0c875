import { patternRule, type SecretRule, where } from '../span.ts';
import { isChosen, isVariable } from './named.ts';

/** Programs that accept a password, and the options for it. `attached`: it follows the option without a space. */
const programs: readonly (readonly [names: string, options: string, attached: boolean])[] = [
  [
    'mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mysqlcheck|mysqlslap|mysqlpump|mysqlbinlog|mysql_upgrade',
    '-p',
    true,
  ],
  ['mariadb|mariadb-(?:dump|admin|import|show|check|slap|binlog|backup|upgrade)|mycli|mysqlsh|xtrabackup', '-p', true],
  ['7z|7za|7zr|7zz|rar|unrar', '-p', true],
  ['sshpass', '-p', true],
  ['sshpass|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|mongostat', '-p', false],
  ['docker login|podman login|buildah login|skopeo login|helm registry login|oc login|az login|cf login', '-p', false],
  ['redis-cli|valkey-cli', '-a', false],
  ['sqlcmd|bcp|isql|zip|unzip|osql', '-P', true],
  ['sqlcmd|bcp|isql|zip|unzip|osql', '-P', false],
  ['ldapsearch|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapwhoami|ldapcompare', '-w', false],
  ['plink|pscp|psftp', '-pw', false],
  ['cqlsh|influx|ipmitool|snmpwalk', '-p|-P|-A|-X', false],
];

/** Matches the name of one of the programs where a command can begin. */
const command = (names: string): RegExp => new RegExp(`(?:^|[\\s/;&|("'\`$\\[,])(?:${names})(?:\\.exe)?["',]{0,3}\\s`);

interface Program {
  readonly names: RegExp;
  readonly options: ReadonlySet<string>;
  readonly attached: boolean;
}

const table: readonly Program[] = programs.map(([names, options, attached]) => ({
  names: command(names.replaceAll(' ', '\\s{1,8}')),
  options: new Set(options.split('|')),
  attached,
}));

/** The maximum number of characters before an option that are searched for the name of a program. */
const maxCommandLength = 400;

const option = /-(?<=[\s"']-)(?:pw|[apwPAX])(?:["']?,?\s{1,4}["']?|["']?)(?<secret>[^\s"'<{,-][^\s"'`|;&]{3,200})/g;

/** A placeholder for a password, as in a manual, or a value that is not a password. */
const placeholder =
  /^(?:(?:your|my|the|db|root|user|mysql|new|old)?[_-]?(?:password|passwd|passwort|pass|pwd|secret|port|file|prompt)s?[_-]?(?:here)?|x+|\*+|\.+|\w+\.\.\.|\[.*)$/i;

function isArgument(secret: string, text: string, from: number, start: number): boolean {
  if (isVariable(secret) || placeholder.test(secret)) return false;
  const given = /^-\w+/.exec(text.slice(from, start))?.[0] ?? '';
  const isAttached = !/[\s,]/.test(text.slice(from, start));
  const before = commandBefore(text, from);
  return table.some(
    ({ names, options, attached }) => attached === isAttached && options.has(given) && names.test(before),
  );
}

/** The command up to a place: a line that ends with a backslash continues in the next one. */
function commandBefore(text: string, end: number): string {
  const near = text.slice(Math.max(0, end - maxCommandLength), end).replace(/\\\r?\n|\^\r?\n|`\r?\n/g, '  ');
  return near.slice(Math.max(...['\n', ';', '|', '&&'].map((stop) => near.lastIndexOf(stop))) + 1);
}

/** A password after a user name and a colon, as curl has them; a semicolon or a pipe would end the command. */
const curlPassword =
  /-(?<=\s-)(?:[a-zA-Z]{0,8}[uU]\s{0,2}|-(?:proxy-)?user[\s=]{1,2})["']?[^\s:"'$;|]{0,64}["']?:["']?(?<secret>[^\s"'$<{;|][^\s"'`;|]{3,200})/g;

/** Whether a place is in a command of curl, which may continue on the next line. The pattern would ask this at every length. */
function isOfCurl(text: string, from: number): boolean {
  const near = text.slice(Math.max(0, from - maxCommandLength - 'curl.exe '.length), from);
  const stop = Math.max(near.lastIndexOf(';'), near.lastIndexOf('|'));
  return /\bcurl(?:\.exe)?\s/.test(near.slice(stop + 1));
}

/** A long option for a password, of any program, and its value. */
const longOption =
  /--(?<=[\s"']--)(?:[a-z]{1,16}-){0,2}(?:password|passwd|passphrase|pass|pwd)(?:["']?,?\s{1,4}|=)["']?(?<secret>[^\s"'<{,-][^\s"'`|;&]{3,200})/g;

/** A password in a ConvertTo-SecureString command, in a .netrc file, or in the format of git's credential helpers. */
const login =
  /(?:\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["']|\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}|^host=.{1,200}\r?\n(?:path=.{0,200}\r?\n)?username=.{0,200}\r?\npassword=)(?<secret>[^\s"'<{][^\s"'`]{3,200})/gm;

/** Passwords in the arguments of a command, random or not. */
export const commandPasswords: readonly SecretRule[] = [
  where(
    ['curl'],
    patternRule('curl-password', curlPassword, (secret, text, from) => !isVariable(secret) && isOfCurl(text, from)),
  ),
  patternRule('command-password', option, isArgument),
  where(
    ['ConvertTo-SecureString', 'machine', 'host='],
    patternRule('command-password', login, (secret) => !isVariable(secret) && !placeholder.test(secret)),
  ),
  patternRule('command-password', longOption, (secret) => isChosen(secret) && !isVariable(secret)),
];
