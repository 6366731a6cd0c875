import type { RequestPolicy, Resolved } from '../requestPolicy.ts';
import {
  type ComplianceField,
  type ComplianceKey,
  compliance,
  complianceFields,
  type SvcHeaderName,
} from './compliance.ts';

/** A header of a request, its setting, and the layers that set or tried to set it. */
export interface ResolvedHeader extends Pick<Resolved<unknown>, 'setBy' | 'overruled'> {
  readonly name: SvcHeaderName;
  /** The value on the wire. */
  readonly value: string;
  readonly key: ComplianceKey;
}

/** Returns the headers of a policy in the order of the table; a constraint that no layer sets is left out. */
export function resolvedHeaders(policy: RequestPolicy): readonly ResolvedHeader[] {
  return complianceFields.flatMap((field) => headerOf(field, policy[field]) ?? []);
}

/** Returns the header of a constraint, or null if no layer sets it. */
export function headerOf(
  field: ComplianceField,
  { value, setBy, overruled }: Resolved<unknown>,
): ResolvedHeader | null {
  const { header: name, setting: key } = compliance[field];
  const text = written(value);
  return text === '' ? null : { name, value: text, key, setBy, overruled };
}

/** Like resolvedHeaders(), as pairs of name and value. */
export function policyHeaders(policy: RequestPolicy): readonly (readonly [SvcHeaderName, string])[] {
  return resolvedHeaders(policy).map(({ name, value }) => [name, value]);
}

/** The form of a value in its header; empty if it is unset. */
export function written(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value ?? '');
}
