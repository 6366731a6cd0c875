import { type ComplianceKey, compliance, type Region } from '../compliance/compliance.ts';
import type { Layer } from '../requestPolicy.ts';
import type { CredentialsPolicy } from './credentials.ts';
import type { EvidencePolicy } from './evidencePolicy.ts';
import type { DeliveryFault, ManagedProblem } from './fileValues.ts';
import type { PolicySource } from './policySource.ts';
import type { ToolRules } from './toolRules.ts';

/** The features that an administrator can disable. */
export const features = [
  'explain',
  'generate',
  'review',
  'inlineCompletions',
  'languageModel',
  'tools',
  'changes',
  'tasks',
  'instructions',
  'history',
  'auditExport',
] as const;
export type Feature = (typeof features)[number];

/** How the audit log names the user: not at all, by the account of the operating system, or by the subject of the credential helper. */
export const identities = ['none', 'account', 'subject'] as const;

/** The administrator's file, validated. Missing fields constrain nothing. */
export interface ManagedPolicy {
  /** The minimum for every request. */
  readonly compliance: Readonly<Partial<Record<ComplianceKey, unknown>>>;
  readonly allowedRegions?: readonly Region[];
  /** The origins that requests may be sent to, which must match exactly. */
  readonly allowedOrigins?: readonly string[];
  /** The identifiers of models; an identifier that ends in `*` matches by prefix. */
  readonly allowedModels?: readonly string[];
  readonly requireAuditLog: boolean;
  readonly requirePreview: boolean;
  readonly forbidUnmaskedSecrets: boolean;
  /** Whether every excluded file must be recognized by its content. A version that does not know this key sends nothing. */
  readonly requireRecognition?: boolean;
  readonly limits: {
    readonly requestBytes?: number;
    readonly fileBytes?: number;
    /** The daily limits of one user of this machine: see dayLimits.ts. */
    readonly requestsPerDay?: number;
    readonly tokensPerDay?: number;
  };
  readonly disabledFeatures: readonly Feature[];
  /** A version that does not know this key sends nothing. */
  readonly tools?: ToolRules;
  /** `requireReview`: the user must have opened the diff of a file to accept its change. A version that does not know this key sends nothing. */
  readonly changes?: { readonly requireReview?: boolean };
  readonly evidence: EvidencePolicy;
  /** How each record of the audit log names the user. */
  readonly identity?: (typeof identities)[number];
  /** The organization's instructions for models, also those that were read from `instructionsFile`. */
  readonly instructions?: string;
  /** The name of the file with the instructions, in the folder of the policy. */
  readonly instructionsFile?: string;
  /** The source of the API key. A version that does not know this field sends nothing. */
  readonly credentials?: CredentialsPolicy;
  /** A policy for many machines that is combined with this one. A version that does not know this field sends nothing. */
  readonly source?: PolicySource;
  /** Keys under `optional` that this version does not know, and so does not apply. */
  readonly ignored?: readonly string[];
}

/** The delivered policy that applies. Times are milliseconds since the epoch. */
export interface DeliveredState {
  readonly serial: number;
  readonly issued: number;
  readonly expires: number;
  /** When it was last found to be the current one. */
  readonly checked: number;
  /** The reason why a newer one was not fetched or accepted, or why this one was not stored. */
  readonly fault: DeliveryFault | null;
}

interface InForcePolicy {
  readonly state: 'in-force';
  readonly file: string;
  /** The SHA-256 of the file and, if there is one, of the delivered policy, hexadecimal. */
  readonly digest: string;
  readonly policy: ManagedPolicy;
  /** The delivered policy that is combined with that of the file. */
  readonly delivered?: DeliveredState;
}

export type ManagedState =
  | { readonly state: 'none' }
  | InForcePolicy
  | { readonly state: 'broken'; readonly file: string; readonly problem: ManagedProblem };

/** The administrator's minimum as the outermost layer; null if there is none. */
export function managedLayer(managed: ManagedState): Layer | null {
  if (managed.state !== 'in-force') return null;
  const { compliance: asked, allowedRegions = [] } = managed.policy;
  const [only, ...others] = allowedRegions;
  // If only one region is allowed, every request asks for it: without a header, the service would choose.
  const region = only !== undefined && others.length === 0 ? { [compliance.dataResidency.setting]: only } : {};
  return { layer: 'managed', values: { ...region, ...asked } };
}
