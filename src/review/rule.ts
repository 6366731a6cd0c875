import type { Framework } from '../policy/compliance/compliance.ts';

export const severities = ['high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

/** A rule that a review checks. */
export interface Rule {
  /** An ID such as `pci-injection`. It begins with the framework, so that it is unique. */
  readonly id: string;
  readonly framework: Framework;
  /** Describes a violation of the rule, in one sentence. */
  readonly sentence: string;
  /** The source in the framework, as a lawyer or an assessor would cite it. It is not a URL: see packaging/hosts.test.ts. */
  readonly reference: string;
  /** The severity of a finding for which the answer gives none. */
  readonly severity: Severity;
}

/** A row of a framework's table. */
export type RuleRow = readonly [id: string, severity: Severity, reference: string, sentence: string];
