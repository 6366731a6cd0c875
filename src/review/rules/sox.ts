import type { RuleRow } from '../rule.ts';

/**
 * Sarbanes-Oxley requires effective internal control over financial reporting (section 404); section 13(b) of the
 * Securities Exchange Act defines the subject of that control.
 */
export const sox: readonly RuleRow[] = [
  [
    'sox-audit-trail',
    'high',
    'SOX section 404(a), 15 U.S.C. 7262(a)',
    'Financial data is changed and nothing records who changed what, and when.',
  ],
  [
    'sox-segregation-of-duties',
    'high',
    'SOX section 404(a), 15 U.S.C. 7262(a)',
    'One person can both make a change or a payment and approve it.',
  ],
  [
    'sox-injection',
    'high',
    'SOX section 404(a), 15 U.S.C. 7262(a)',
    'A value becomes part of a query or a command, so that financial records can be changed past every control.',
  ],
  [
    'sox-unprotected-transfer',
    'medium',
    'SOX section 404(a), 15 U.S.C. 7262(a)',
    'Financial data goes over a connection on which it can be changed unnoticed.',
  ],
  [
    'sox-accurate-records',
    'medium',
    'Exchange Act section 13(b)(2)(A), 15 U.S.C. 78m(b)(2)(A)',
    'Amounts are computed or rounded so that the books do not accurately reflect the transactions.',
  ],
  [
    'sox-record-integrity',
    'medium',
    'Exchange Act section 13(b)(2)(A), 15 U.S.C. 78m(b)(2)(A)',
    'Records are protected against changes by something that can be forged.',
  ],
  [
    'sox-authorization',
    'high',
    'Exchange Act section 13(b)(2)(B)(i), 15 U.S.C. 78m(b)(2)(B)(i)',
    'A transaction is executed without a check that somebody authorized it.',
  ],
  [
    'sox-unrecorded-transaction',
    'medium',
    'Exchange Act section 13(b)(2)(B)(ii), 15 U.S.C. 78m(b)(2)(B)(ii)',
    'A transaction can fail or get lost without being recorded, because an error is ignored.',
  ],
  [
    'sox-access-to-assets',
    'high',
    'Exchange Act section 13(b)(2)(B)(iii), 15 U.S.C. 78m(b)(2)(B)(iii)',
    'Financial systems are open to everybody, or, by a hard-coded credential, to whoever reads the code.',
  ],
  [
    'sox-control-bypass',
    'high',
    'Exchange Act section 13(b)(5), 15 U.S.C. 78m(b)(5)',
    'A switch, a comment or a special case turns a control off.',
  ],
  [
    'sox-record-destruction',
    'high',
    'SOX section 802(a), 18 U.S.C. 1519',
    'Records that an investigation may need are deleted, altered or overwritten.',
  ],
  [
    'sox-retention',
    'medium',
    'SOX section 802(a), 18 U.S.C. 1520; 17 CFR 210.2-06(a)',
    'Records that support an audit are removed before seven years have passed.',
  ],
];
