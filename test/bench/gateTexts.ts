import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Text {
  readonly name: string;
  readonly isHostile: boolean;
  /** Repeated to a megabyte. */
  readonly unit: string;
}

/** 1,048,576 UTF-16 units of a repeated text. */
export function megabyte(unit: string): string {
  const length = 1024 * 1024;
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

const begin = ['-----BEGIN RSA PRIVATE', ' KEY-----'].join('');

/** Many beginnings of matches, and many matches. */
const hostile: Readonly<Record<string, string>> = {
  digits: '4',
  'groups of digits': '4111 ',
  'digits and dashes': '123-45-',
  'run of base64': 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo',
  'lines of base64': `${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU2Nzg5'.repeat(2).slice(0, 64)}\n`,
  'lines of base64 and their other half': `${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU2Nzg5'.repeat(2).slice(0, 64)}\n\n\n`,
  'last lines of keys': `${begin.replace('BEGIN', 'END')}\n`,
  'keys without a first line': `MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo\n${begin.replace('BEGIN', 'END')}\n`,
  'line numbers': '12: ',
  'names of accounts': 'AccountKey=',
  'names of tokens': '_authToken=',
  'names of AWS keys': 'aws_secret_access_key = ',
  'names of numbers': 'ssn: ',
  'one long Slack token': `xoxb${'-a1b2'.repeat(200_000)}`,
  'words between the lines of keys': `${begin}${'some words and more '.repeat(3000)}${begin.replace('BEGIN', 'END')}`,
  'names before lines': `\n${'a-1-'.repeat(50)}`,
  marks: '[masked: us-ssn]',
  'beginnings of marks': '[masked: ',
  'beginnings of keys in DER': 'MIIEowIBAAKC',
  "'a'": 'a',
  "'@:/'": '@:/',
  "'://'": '://',
  "'http://a:'": 'http://a:',
  "'-----BEGIN '": '-----BEGIN ',
  'first lines of keys': `${begin}\n`,
  'cut keys': `${begin}\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo`,
  'parts of JWTs': 'eyJhbGci.',
  'short lines': 'x\n',
  'line ends': '\n',
  spaces: ' ',
  'NUL characters': '\0',
  'unpaired surrogates': '\ud800',
  'beginnings of IBANs': 'DE89 ',
  'beginnings of GitHub tokens': 'gh'.concat('p_'),
  'beginnings of installation tokens': 'ghs_1_',
  'beginnings of GitLab tokens': 'glpat-',
  'beginnings of Figma tokens': 'figd_',
  'beginnings of SendGrid keys': `SG.a.${'a'.repeat(300)} `,
  'nothing but cards': ['4111', '111111111111 '].join(''),
  'nothing but social security numbers': ['123', '-45-6789 '].join(''),
  'nothing but IBANs': ['DE893704', '00440532013000 '].join(''),
  'nothing but keys of our own': ['svc_', 'ent_abcdef012345\n'].join(''),
  'nothing but GitHub tokens': ['gh', 'p_', 'a1B2'.repeat(9), '\n'].join(''),
  'nothing but Slack tokens': ['xox', 'b-1-aaaaaaaaaa '].join(''),
};

export function texts(root: string): readonly Text[] {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  return [
    { name: 'TypeScript', isHostile: false, unit: read('src/gate/exclusions.ts') },
    { name: 'prose', isHostile: false, unit: read('README.md') },
    { name: 'lock file', isHostile: false, unit: read('package-lock.json') },
    ...Object.entries(hostile).map(([name, unit]) => ({ name, isHostile: true, unit })),
  ];
}
