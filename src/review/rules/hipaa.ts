import type { RuleRow } from '../rule.ts';

/** The Security Rule's technical safeguards, and the parts of the Privacy Rule that code can violate. */
export const hipaa: readonly RuleRow[] = [
  [
    'hipaa-access-control',
    'high',
    '45 CFR 164.312(a)(1)',
    'Electronic protected health information can be accessed without an authorization check.',
  ],
  [
    'hipaa-unique-user',
    'medium',
    '45 CFR 164.312(a)(2)(i)',
    'Several people act under one account, so nobody can tell whose access it was.',
  ],
  [
    'hipaa-automatic-logoff',
    'low',
    '45 CFR 164.312(a)(2)(iii)',
    'A session that shows health information does not end by itself when nobody uses it.',
  ],
  [
    'hipaa-encryption-at-rest',
    'high',
    '45 CFR 164.312(a)(2)(iv)',
    'Health information is stored unencrypted, or with encryption that is no longer secure.',
  ],
  [
    'hipaa-audit-controls',
    'medium',
    '45 CFR 164.312(b)',
    'Health information is read or changed and nothing records it.',
  ],
  [
    'hipaa-integrity',
    'medium',
    '45 CFR 164.312(c)(1)',
    'Health information can be improperly altered or destroyed, or such a change goes undetected.',
  ],
  [
    'hipaa-authentication',
    'high',
    '45 CFR 164.312(d)',
    'The identity of a person or system that requests access is not verified, or is verified with a hard-coded credential.',
  ],
  [
    'hipaa-transmission-security',
    'high',
    '45 CFR 164.312(e)(1)',
    'Health information goes over a network without protection from being read or changed on the way.',
  ],
  [
    'hipaa-disposal',
    'low',
    '45 CFR 164.310(d)(2)(i)',
    'Health information is disposed of in a way that leaves it readable.',
  ],
  [
    'hipaa-phi-disclosed',
    'high',
    '45 CFR 164.502(a)',
    'Health information is disclosed in a log, in an error message or to another unauthorized recipient.',
  ],
  [
    'hipaa-minimum-necessary',
    'medium',
    '45 CFR 164.502(b)(1)',
    'More health information is used or passed on than the task needs.',
  ],
  [
    'hipaa-deidentification',
    'medium',
    '45 CFR 164.514(b)',
    'Data that is treated as de-identified still holds what identifies a person.',
  ],
];
