import type { Connection, ConnectionResolution } from '../policy/connection.ts';
import { requireWhole, type SettingsFilesState } from '../policy/files/settingsFile.ts';
import type { Feature, ManagedState } from '../policy/managed/managedPolicy.ts';
import { managedProblems } from '../policy/managed/managedRules.ts';
import { PolicyError } from '../policy/policyError.ts';
import type { RequestOptions, RequestOptionsResolution } from '../policy/requestOptions.ts';
import { asksZeroRetention, type PolicyProblem, type RequestPolicy } from '../policy/requestPolicy.ts';
import type { PolicyResolution } from '../policy/resolve.ts';
import type { PreviewResolution } from '../policy/resolvePreview.ts';
import { ServiceError } from '../util/errors.ts';
import { defaultLimits, type SizeLimits } from './limits.ts';

/** What is known of the place a request comes from, read afresh for each request. */
export interface RequestContext {
  readonly isTrusted: boolean;
  readonly managed: ManagedState;
  /** Of the files behind the layers. */
  readonly settingsFiles: SettingsFilesState;
  readonly policy: PolicyResolution;
  readonly connection: ConnectionResolution;
  readonly options: RequestOptionsResolution;
  /** svc.gate.preview. */
  readonly preview: PreviewResolution;
  /** What the request is for, where an administrator can switch that off. */
  readonly feature?: Feature;
}

/** What settings and the managed policy ask of a request besides its headers. */
export interface SendRules {
  /** The user sees the exact text before each send. */
  readonly isPreviewRequired: boolean;
  /** Without its record on the disk nothing is sent. */
  readonly isAuditRequired: boolean;
  /** A person may send a secret as it is. */
  readonly mayUnmask: boolean;
  readonly limits: SizeLimits;
}

/** What a request needs to leave; made by admit() alone. */
export interface Admission {
  readonly policy: RequestPolicy;
  readonly connection: Connection;
  readonly options: RequestOptions;
  /** Nothing of its content may stay on the disk. */
  readonly isZeroRetention: boolean;
  readonly rules: SendRules;
}

/**
 * May a request leave, and under which policy? Throws a ServiceError: `gate` with code `untrusted`; `policy` with code
 * `managed-broken`, `feature-disabled`, `settings-file` or `no-base-url`; or a PolicyError with every problem of every setting.
 */
export function admit(requestContext: RequestContext): Admission {
  const { isTrusted, managed, settingsFiles, policy, connection, options, preview, feature } = requestContext;
  // Restricted Mode hides the workspace's settings, so what they would have tightened is unknown.
  if (!isTrusted) throw new ServiceError('gate', 'The workspace is not trusted.', { code: 'untrusted' });
  requireManaged(managed, feature);
  requireWhole(settingsFiles);
  const problems = problemsOf(requestContext);
  if (problems.length > 0) throw new PolicyError(problems);
  if (!connection.ok) throw new ServiceError('policy', 'svc.baseUrl is not set.', { code: 'no-base-url' });
  if (!policy.ok || !options.ok || !preview.ok) throw new PolicyError([]);
  return {
    policy: policy.policy,
    connection: connection.connection,
    options: options.options,
    isZeroRetention: asksZeroRetention(policy.policy),
    rules: rulesOf(managed, policy.policy, preview.isAsked),
  };
}

/** Throws where the administrator's file cannot be used, or switches the feature off. */
export function requireManaged(managed: ManagedState, feature?: Feature): void {
  if (managed.state === 'broken') {
    const { file, problem } = managed;
    throw new ServiceError('policy', 'The managed policy cannot be used.', {
      code: 'managed-broken',
      file,
      reason: problem.reason,
      cause: problem,
    });
  }
  if (managed.state === 'in-force' && feature !== undefined && managed.policy.disabledFeatures.includes(feature)) {
    throw new ServiceError('policy', 'A feature is switched off.', { code: 'feature-disabled', reason: feature });
  }
}

/** Every problem of every setting, those that the administrator's lists see in them with them. */
export function problemsOf(
  requestContext: Omit<RequestContext, 'isTrusted' | 'settingsFiles'>,
): readonly PolicyProblem[] {
  const { managed, policy, connection, options, preview } = requestContext;
  const problems = [policy, connection, options, preview].flatMap((part) => (part.ok ? [] : part.problems));
  if (!policy.ok || !connection.ok || !options.ok) return problems;
  const resolved = { policy: policy.policy, connection: connection.connection, options: options.options };
  return [...problems, ...managedProblems(managed, resolved)];
}

function rulesOf(managed: ManagedState, policy: RequestPolicy, isPreviewAsked: boolean): SendRules {
  const asked = managed.state === 'in-force' ? managed.policy : null;
  return {
    isPreviewRequired: isPreviewAsked || asked?.requirePreview === true,
    isAuditRequired: policy.audit.value === true || asked?.requireAuditLog === true,
    mayUnmask: asked?.forbidUnmaskedSecrets !== true,
    limits: limitsIn(managed),
  };
}

/** The most that may leave in one request; an administrator may ask for less. */
export function limitsIn(managed: ManagedState): SizeLimits {
  const asked = managed.state === 'in-force' ? managed.policy.limits : {};
  return {
    requestBytes: Math.min(defaultLimits.requestBytes, asked.requestBytes ?? Number.POSITIVE_INFINITY),
    fileBytes: Math.min(defaultLimits.fileBytes, asked.fileBytes ?? Number.POSITIVE_INFINITY),
  };
}
