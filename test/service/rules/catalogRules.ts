import { type Framework, frameworks, reviewRules } from './reviewRules.ts';

/** The parts of a finding besides its line, if a request lists the allowed ids. */
export interface CatalogRule {
  readonly id: string;
  readonly framework: Framework;
  readonly severity: 'high' | 'medium' | 'low';
  readonly message: string;
  readonly fix: string;
  readonly matches: (line: string) => boolean;
}

/** The catalog ids of the rules in reviewRules.ts, by framework. */
const names: Readonly<Record<string, Readonly<Partial<Record<Framework, string>>>>> = {
  'hard-coded-secret': {
    hipaa: 'hipaa-authentication',
    sox: 'sox-access-to-assets',
    'pci-dss': 'pci-hard-coded-credential',
    gdpr: 'gdpr-security-of-processing',
  },
  eval: {
    hipaa: 'hipaa-integrity',
    sox: 'sox-injection',
    'pci-dss': 'pci-injection',
    gdpr: 'gdpr-security-of-processing',
  },
  'sql-concatenation': {
    hipaa: 'hipaa-access-control',
    sox: 'sox-injection',
    'pci-dss': 'pci-injection',
    gdpr: 'gdpr-security-of-processing',
  },
  'cleartext-http': {
    hipaa: 'hipaa-transmission-security',
    sox: 'sox-unprotected-transfer',
    'pci-dss': 'pci-transmission',
    gdpr: 'gdpr-encryption',
  },
  'weak-hash': {
    hipaa: 'hipaa-integrity',
    sox: 'sox-record-integrity',
    'pci-dss': 'pci-weak-cryptography',
    gdpr: 'gdpr-pseudonymisation',
  },
  'personal-data-in-log': {
    hipaa: 'hipaa-phi-disclosed',
    'pci-dss': 'pci-pan-stored',
    gdpr: 'gdpr-data-minimisation',
  },
  'unmasked-pan': { 'pci-dss': 'pci-pan-stored' },
};

const fixes: Readonly<Record<string, string>> = {
  'hard-coded-secret': 'Read it from a secret store when it is needed.',
  eval: 'Parse the text instead of running it.',
  'sql-concatenation': 'Bind the value as a parameter.',
  'cleartext-http': 'Use https.',
  'weak-hash': 'Use SHA-256, or Argon2 for passwords.',
  'personal-data-in-log': 'Log an identifier that means nothing outside the system.',
  'unmasked-pan': 'Keep a token, or the last four digits.',
};

const own = (
  framework: Framework,
  id: string,
  severity: CatalogRule['severity'],
  pattern: RegExp,
  message: string,
  fix: string,
): CatalogRule => ({ framework, id, severity, message, fix, matches: (line) => pattern.test(line) });

export const catalogRules: readonly CatalogRule[] = [
  ...reviewRules.flatMap(({ id, severity, message, matches }) =>
    frameworks.flatMap((framework): CatalogRule[] => {
      const name = names[id]?.[framework];
      return name === undefined ? [] : [{ id: name, framework, severity, message, fix: fixes[id] ?? '', matches }];
    }),
  ),
  own(
    'hipaa',
    'hipaa-encryption-at-rest',
    'high',
    /\bencrypt\w*['"]?\s*[:=]\s*(false|none|off)\b/i,
    'Health information is stored without encryption.',
    'Turn encryption on.',
  ),
  own(
    'hipaa',
    'hipaa-automatic-logoff',
    'low',
    /\b(session|idle)\w*timeout\w*['"]?\s*[:=]\s*(0|-1|never|null|None)\b/i,
    'A session never ends by itself.',
    'End it after some idle minutes.',
  ),
  own(
    'sox',
    'sox-segregation-of-duties',
    'high',
    /approved_?by\w*\s*[:=]+\s*\w*\.?(requested_?by|created_?by|requester)/i,
    'Who requests also approves.',
    'Let somebody else approve.',
  ),
  own(
    'sox',
    'sox-record-destruction',
    'high',
    /\b(truncate table|drop table|delete from) \w*(ledger|journal)/i,
    'Records of the books are removed.',
    'Post a reversal instead.',
  ),
  own(
    'sox',
    'sox-accurate-records',
    'medium',
    /\b(parseFloat|float|toFixed)\b\W*.*\bamount/i,
    'An amount of money is a binary fraction.',
    'Use integer cents or a decimal type.',
  ),
  own(
    'sox',
    'sox-unrecorded-transaction',
    'medium',
    /catch\s*(\([^)]*\))?\s*\{\s*\}|^\s*except\b.*:\s*pass\b/,
    'An error is ignored.',
    'Record it and stop.',
  ),
  own(
    'pci-dss',
    'pci-sensitive-authentication-data',
    'high',
    /\b(cvv2?|cvc)\w*['"]?\s*[:=].*\b(cvv2?|cvc)/i,
    'A verification code is kept.',
    'Forget it once the payment is authorized.',
  ),
  own(
    'pci-dss',
    'pci-default-credentials',
    'high',
    /['"](admin|root|sa)['"]\s*,\s*['"](admin|root|sa|password|changeit)?['"]/i,
    'A default account is in use.',
    'Use an account of your own.',
  ),
  own(
    'gdpr',
    'gdpr-storage-limitation',
    'medium',
    /retention\w*['"]?\s*[:=]\s*['"]?(forever|unlimited|-1|null|None|infinite)\b/i,
    'Personal data is kept without an end.',
    'Set a period.',
  ),
  own(
    'gdpr',
    'gdpr-protection-by-default',
    'medium',
    /\b(is_?public|share_?\w*|public_profile)['"]?\s*[:=]\s*true\b/i,
    'Data is shared unless the person objects.',
    'Let the default be false.',
  ),
  own(
    'gdpr',
    'gdpr-erasure',
    'medium',
    /\bset\b.*\b(is_)?deleted\s*=\s*(true|1)\b/i,
    'The data stays and is only marked.',
    'Remove it.',
  ),
];
