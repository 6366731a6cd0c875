import assert from 'node:assert/strict';
import type { ManagedPolicy, ManagedState } from '../../src/policy/managed/managedPolicy.ts';
import { parseManagedPolicy } from '../../src/policy/managed/parseManagedPolicy.ts';

type InForce = Extract<ManagedState, { readonly state: 'in-force' }>;

/** A policy that constrains nothing. */
export const openPolicy: ManagedPolicy = {
  compliance: {},
  requireAuditLog: false,
  requirePreview: false,
  forbidUnmaskedSecrets: false,
  limits: {},
  disabledFeatures: [],
  evidence: {},
};

export function inForce(policy: Partial<ManagedPolicy>): InForce {
  return { state: 'in-force', file: '/etc/svc/policy.json', digest: 'd', policy: { ...openPolicy, ...policy } };
}

/** The state with a file that has these keys beside its version. */
export function inForceFrom(file: object): InForce {
  const parsed = parseManagedPolicy(JSON.stringify({ version: 1, ...file }), '1.0.0');
  if (!parsed.ok) assert.fail(JSON.stringify(parsed.problem));
  return inForce(parsed.policy);
}
