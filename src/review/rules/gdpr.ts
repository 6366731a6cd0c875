import type { RuleRow } from '../rule.ts';

/** Regulation (EU) 2016/679: the articles that code can violate. */
export const gdpr: readonly RuleRow[] = [
  [
    'gdpr-purpose-limitation',
    'medium',
    'GDPR Article 5(1)(b)',
    'Personal data is used for a purpose other than the one it was collected for.',
  ],
  [
    'gdpr-data-minimisation',
    'medium',
    'GDPR Article 5(1)(c)',
    'More personal data is collected, logged or passed on than the purpose needs.',
  ],
  ['gdpr-storage-limitation', 'medium', 'GDPR Article 5(1)(e)', 'Personal data is kept without a time limit.'],
  ['gdpr-accountability', 'low', 'GDPR Article 5(2)', 'Personal data is changed or passed on, and nothing records it.'],
  [
    'gdpr-lawful-basis',
    'high',
    'GDPR Article 6(1)',
    'Personal data is processed before, or without, a consent or another legal basis.',
  ],
  [
    'gdpr-special-category',
    'high',
    'GDPR Article 9(1)',
    'Data about health, origin, belief or sexual life is processed like any other data.',
  ],
  [
    'gdpr-erasure',
    'medium',
    'GDPR Article 17(1)',
    'A deletion leaves personal data behind, or only marks it as deleted.',
  ],
  [
    'gdpr-automated-decision',
    'medium',
    'GDPR Article 22(1)',
    'A decision with legal or similar effects about a person is made by software alone.',
  ],
  [
    'gdpr-protection-by-default',
    'medium',
    'GDPR Article 25(2)',
    'Personal data is visible or shared unless the person objects.',
  ],
  [
    'gdpr-encryption',
    'high',
    'GDPR Article 32(1)(a)',
    'Personal data is stored or sent unencrypted, or with encryption that is no longer secure.',
  ],
  [
    'gdpr-pseudonymisation',
    'medium',
    'GDPR Article 32(1)(a)',
    'An identifier is replaced in a way that is easily undone.',
  ],
  [
    'gdpr-security-of-processing',
    'high',
    'GDPR Article 32(1)(b)',
    'Personal data can be read or changed by unauthorized people: through injection, missing access control, or a secret in the code.',
  ],
  [
    'gdpr-third-country-transfer',
    'high',
    'GDPR Article 44',
    'Personal data is sent to a third country without a safeguard.',
  ],
];
