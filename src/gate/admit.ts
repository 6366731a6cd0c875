import type { PolicyResolution } from '../policy/compliance/resolve.ts';
import type { Connection, ConnectionResolution } from '../policy/connection.ts';
import { requireWhole, type SettingsFilesState } from '../policy/files/settingsFile.ts';
import { type DayLimits, dayLimitsOf } from '../policy/managed/dayLimits.ts';
import type { Feature, ManagedState } from '../policy/managed/managedPolicy.ts';
import { managedProblems } from '../policy/managed/managedRules.ts';
import { ManagedPolicyError, PolicyError } from '../policy/policyError.ts';
import type { RequestOptions, RequestOptionsResolution } from '../policy/requestOptions.ts';
import { asksZeroRetention, type PolicyProblem, type RequestPolicy } from '../policy/requestPolicy.ts';
import type { PreviewResolution } from '../policy/resolvePreview.ts';
import { type BlockingFiles, isServiceError, ServiceError } from '../util/errors.ts';
import { defaultLimits, type SizeLimits } from './limits.ts';

/** The context of a request, read again for each request. */
export interface RequestContext {
  readonly isTrusted: boolean;
  readonly managed: ManagedState;
  /** The state of the settings files from which the layers are read. */
  readonly settingsFiles: SettingsFilesState;
  readonly policy: PolicyResolution;
  readonly connection: ConnectionResolution;
  readonly options: RequestOptionsResolution;
  /** The setting svc.gate.preview. */
  readonly preview: PreviewResolution;
  /** The feature that makes the request, if an administrator can disable it. */
  readonly feature?: Feature;
  /** The files without which the settings would allow the request; undefined if removing files makes no difference. */
  readonly blockingFiles?: BlockingFiles;
}

/** The requirements of settings and the managed policy for a request, except for its headers. */
interface SendRules {
  /** Whether the user must review the exact text before each send. */
  readonly isPreviewRequired: boolean;
  /** Whether a request may be sent only after its record is on the disk. */
  readonly isAuditRequired: boolean;
  /** Whether nothing may be sent while too much of the audit log waits for delivery. */
  readonly isDeliveryRequired: boolean;
  /** The daily limits; null if there are none. */
  readonly dayLimits: DayLimits | null;
  /** Whether the user may send a secret unmasked. */
  readonly mayUnmask: boolean;
  /** Whether nothing may be sent until every excluded file is recognized by its content. */
  readonly isRecognitionRequired: boolean;
  readonly limits: SizeLimits;
}

/** The permission to send a request; made only by admit(). */
export interface Admission {
  readonly policy: RequestPolicy;
  readonly connection: Connection;
  readonly options: RequestOptions;
  /** Whether the request's content must not be stored on the disk. */
  readonly isZeroRetention: boolean;
  readonly rules: SendRules;
}

/** The error that admit() throws. */
export type NotAdmitted = ServiceError<'policy' | 'gate'>;

export function isNotAdmitted(error: unknown): error is NotAdmitted {
  return isServiceError(error) && (error.kind === 'policy' || error.code === 'untrusted');
}

/**
 * Decides whether a request may be sent, and under which policy. Throws a NotAdmitted: `gate` with code `untrusted`; `policy`
 * with code `managed-broken`, `feature-disabled`, `settings-file` or `no-base-url`; or a PolicyError with every problem of
 * every setting.
 */
export function admit(requestContext: RequestContext): Admission {
  const { isTrusted, managed, settingsFiles, policy, connection, options, preview, feature } = requestContext;
  const { blockingFiles } = requestContext;
  // Restricted Mode hides the workspace's settings, so any restrictions they contain are unknown.
  if (!isTrusted) throw new ServiceError('gate', 'The workspace is not trusted.', { code: 'untrusted' });
  requireManaged(managed, feature);
  requireWhole(settingsFiles, blockingFiles);
  const problems = problemsOf(requestContext);
  if (problems.length > 0) throw new PolicyError(problems, blockingFiles);
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

/** Throws if the administrator's file cannot be used, or disables the feature. */
export function requireManaged(managed: ManagedState, feature?: Feature): void {
  if (managed.state === 'broken') {
    throw new ManagedPolicyError(managed.file, managed.problem);
  }
  if (managed.state === 'in-force' && feature !== undefined && managed.policy.disabledFeatures.includes(feature)) {
    throw new ServiceError('policy', 'A feature is switched off.', { code: 'feature-disabled', details: { feature } });
  }
}

/** Every problem of every setting, including violations of the administrator's lists. */
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
  const managedPolicy = managed.state === 'in-force' ? managed.policy : null;
  const isDeliveryRequired = managedPolicy?.evidence.required === true;
  const dayLimits = dayLimitsOf(managed);
  return {
    isPreviewRequired: isPreviewAsked || managedPolicy?.requirePreview === true,
    isAuditRequired: isAuditRequired(managed, policy),
    isDeliveryRequired,
    dayLimits,
    mayUnmask: managedPolicy?.forbidUnmaskedSecrets !== true,
    isRecognitionRequired: managedPolicy?.requireRecognition === true,
    limits: limitsIn(managed),
  };
}

/** Whether nothing may happen that the audit log cannot record. */
export function isAuditRequired(managed: ManagedState, policy: RequestPolicy): boolean {
  if (policy.audit.value === true) return true;
  // The requests of a day are counted in the log.
  if (dayLimitsOf(managed) !== null) return true;
  return managed.state === 'in-force' && (managed.policy.requireAuditLog || managed.policy.evidence.required === true);
}

/** The size limits of one request; an administrator may lower them. */
export function limitsIn(managed: ManagedState): SizeLimits {
  const managedLimits = managed.state === 'in-force' ? managed.policy.limits : {};
  return {
    requestBytes: Math.min(defaultLimits.requestBytes, managedLimits.requestBytes ?? Number.POSITIVE_INFINITY),
    fileBytes: Math.min(defaultLimits.fileBytes, managedLimits.fileBytes ?? Number.POSITIVE_INFINITY),
  };
}
