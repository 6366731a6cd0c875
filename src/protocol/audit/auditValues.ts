import { verdicts } from '../posture.ts';

/** Values of audit records. In a file of their own: the page needs them at run time, but not the schema. */

/** What the user did. */
export const auditActions = ['chat', 'explain', 'generate', 'review', 'inlineCompletions', 'languageModel'] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditOutcomes = ['complete', 'stopped', 'interrupted', 'unknown', 'failed'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** `none`: no receipt, or nothing requested. */
export const auditConfirmations = [...verdicts, 'none'] as const;
export type AuditConfirmation = (typeof auditConfirmations)[number];

/** How many of the excluded files were recognized by their content. */
export const auditRecognitions = ['complete', 'partly', 'none'] as const;
export type AuditRecognition = (typeof auditRecognitions)[number];

/** Why a request was refused at the gate, so that nothing of it was sent. docs/audit.md describes each. */
export const auditRefusals = [
  'untrusted',
  'policy-unusable',
  'feature-disabled',
  'policy',
  'settings-conflict',
  'settings-invalid',
  'settings-file',
  'no-address',
  'no-key',
  'excluded',
  'not-recognized',
  'outside-workspace',
  'not-masked',
  'too-large',
  'too-long',
  'changed',
  'declined',
  'stopped',
  'preview-required',
  'not-recorded',
  'not-delivered',
  'fault',
] as const;
export type AuditRefusal = (typeof auditRefusals)[number];

/** What the user was asked about when they declined. */
export const auditAsked = ['secrets', 'excluded-content', 'address', 'changed-form', 'preview'] as const;
export type AuditAsked = (typeof auditAsked)[number];
