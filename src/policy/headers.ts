import {
  type ComplianceField,
  type ComplianceKey,
  compliance,
  complianceFields,
  type SvcHeaderName,
} from './compliance.ts';
import type { RequestPolicy, Resolved } from './requestPolicy.ts';

/** A header of a request, its setting, and the layers that set or tried to set it. */
export interface ResolvedHeader extends Pick<Resolved<unknown>, 'setBy' | 'overruled'> {
  readonly name: SvcHeaderName;
  /** Its value on the wire. */
  readonly value: string;
  readonly key: ComplianceKey;
}

/** Returns the headers of a policy in the order of the table; a constraint that no layer sets is absent. */
export function resolvedHeaders(policy: RequestPolicy): readonly ResolvedHeader[] {
  return complianceFields.flatMap((field) => {
    const { value, setBy, overruled } = policy[field];
    const { header: name, setting: key } = compliance[field];
    return value === null || isEmpty(value) ? [] : [{ name, value: written(value), key, setBy, overruled }];
  });
}

/** The same as pairs of name and value. */
export function policyHeaders(policy: RequestPolicy): readonly (readonly [SvcHeaderName, string])[] {
  return resolvedHeaders(policy).map(({ name, value }) => [name, value]);
}

type Value = NonNullable<RequestPolicy[ComplianceField]['value']>;

function isEmpty(value: Value): boolean {
  return typeof value === 'object' && value.length === 0;
}

function written(value: Value): string {
  return typeof value === 'object' ? value.join(',') : String(value);
}
