import type { Framework } from '../policy/compliance.ts';

export const severities = ['high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

/** One thing a review looks for. */
export interface Rule {
  /** Begins with its framework, so that it is one of a kind: `pci-injection`. */
  readonly id: string;
  readonly framework: Framework;
  /** What is wrong where the rule is broken, in one sentence. */
  readonly sentence: string;
  /** Where the framework asks for it, as a lawyer or an assessor would cite it; no address, see the tests of what is shipped. */
  readonly reference: string;
  /** Where the answer names none. */
  readonly severity: Severity;
}

/** A row of a framework's table. */
export type RuleRow = readonly [id: string, severity: Severity, reference: string, sentence: string];
