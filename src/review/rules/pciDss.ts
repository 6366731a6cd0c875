import type { RuleRow } from '../rule.ts';

/** The references have no URL: the standard is published behind a license agreement. */

/** PCI DSS v4.0.1: the requirements that code can violate. */
export const pciDss: readonly RuleRow[] = [
  [
    'pci-default-credentials',
    'high',
    'PCI DSS v4.0.1, requirement 2.2.2',
    "A vendor's default account or password is in use.",
  ],
  [
    'pci-sensitive-authentication-data',
    'high',
    'PCI DSS v4.0.1, requirement 3.3.1',
    'A verification code, a PIN or full track data is kept after authorization.',
  ],
  ['pci-pan-displayed', 'high', 'PCI DSS v4.0.1, requirement 3.4.1', 'A card number is shown in full.'],
  [
    'pci-pan-stored',
    'high',
    'PCI DSS v4.0.1, requirement 3.5.1',
    'A card number is readable where it is stored, a log or a backup included.',
  ],
  [
    'pci-key-management',
    'high',
    'PCI DSS v4.0.1, requirement 3.6.1',
    'A key that protects stored card data is not protected itself.',
  ],
  [
    'pci-transmission',
    'high',
    'PCI DSS v4.0.1, requirement 4.2.1',
    'Card data goes over a network without strong cryptography.',
  ],
  [
    'pci-injection',
    'high',
    'PCI DSS v4.0.1, requirement 6.2.4',
    'A value from outside becomes part of a query, a command or code.',
  ],
  [
    'pci-weak-cryptography',
    'medium',
    'PCI DSS v4.0.1, requirement 6.2.4',
    'An algorithm, a mode or a source of randomness that is no longer secure is in use.',
  ],
  ['pci-live-data-in-tests', 'medium', 'PCI DSS v4.0.1, requirement 6.5.5', 'Live card numbers are used in tests.'],
  [
    'pci-access-control',
    'high',
    'PCI DSS v4.0.1, requirement 7.3.1',
    'Card data can be accessed without a check that the person needs to know it.',
  ],
  [
    'pci-default-allow',
    'medium',
    'PCI DSS v4.0.1, requirement 7.3.3',
    'Access that no rule permits is granted instead of denied.',
  ],
  [
    'pci-session-timeout',
    'low',
    'PCI DSS v4.0.1, requirement 8.2.8',
    'A session stays open after 15 idle minutes, without a new authentication.',
  ],
  [
    'pci-password-storage',
    'high',
    'PCI DSS v4.0.1, requirement 8.3.2',
    'A password is stored or sent so that it can be read or recovered.',
  ],
  [
    'pci-hard-coded-credential',
    'high',
    'PCI DSS v4.0.1, requirement 8.6.2',
    'A password or a token of an account is hard-coded in a program, a script or a configuration file.',
  ],
  [
    'pci-audit-log',
    'medium',
    'PCI DSS v4.0.1, requirement 10.2.1',
    'Access to card data, or a change of it, is not logged.',
  ],
];
