import type { Framework } from '../policy/compliance/compliance.ts';
import type { Rule, RuleRow } from './rule.ts';
import { gdpr } from './rules/gdpr.ts';
import { hipaa } from './rules/hipaa.ts';
import { pciDss } from './rules/pciDss.ts';
import { sox } from './rules/sox.ts';

const tables: Readonly<Record<Framework, readonly RuleRow[]>> = { hipaa, sox, 'pci-dss': pciDss, gdpr };

/** The names of the frameworks in a sentence. */
export const frameworkNames: Readonly<Record<Framework, string>> = {
  hipaa: 'HIPAA',
  sox: 'SOX',
  'pci-dss': 'PCI DSS',
  gdpr: 'GDPR',
};

/**
 * All rules. The list is closed: a finding of another rule is rejected, because its meaning is undefined, and because
 * an answer must not invent rule names.
 */
export const catalog: readonly Rule[] = Object.entries(tables).flatMap(([framework, rows]) =>
  rows.map(([id, severity, reference, sentence]) => ({
    id,
    framework: framework as Framework,
    sentence,
    reference,
    severity,
  })),
);

const byId: ReadonlyMap<string, Rule> = new Map(catalog.map((rule) => [rule.id, rule]));

export function ruleOf(id: string): Rule | undefined {
  return byId.get(id);
}

/** Returns the rules of the frameworks, in the catalog's order. */
export function rulesFor(frameworks: readonly Framework[]): readonly Rule[] {
  return catalog.filter(({ framework }) => frameworks.includes(framework));
}
