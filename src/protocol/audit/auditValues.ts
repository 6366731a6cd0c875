import { verdicts } from '../posture.ts';

/** Values of audit records. They are in a separate file because the page needs them at run time, but not the schema. */

/** The actions of a user that lead to requests. */
export const auditActions = ['chat', 'explain', 'generate', 'review', 'inlineCompletions', 'languageModel'] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditOutcomes = ['complete', 'stopped', 'interrupted', 'unknown', 'failed'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** The results of comparing a receipt with its request; `none` means no receipt, or nothing requested. */
export const auditConfirmations = [...verdicts, 'none'] as const;
export type AuditConfirmation = (typeof auditConfirmations)[number];

/** Whether all, some or none of the excluded files could be recognized by their content. */
export const auditRecognitions = ['complete', 'partly', 'none'] as const;
export type AuditRecognition = (typeof auditRecognitions)[number];

/** The reasons why a request was refused at the gate, so that no part of it was sent. docs/audit.md describes each reason. */
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
  'day-limit',
  'fault',
] as const;
export type AuditRefusal = (typeof auditRefusals)[number];

/** The subjects of a question that the user declined. */
export const auditAsked = ['secrets', 'excluded-content', 'address', 'changed-form', 'preview'] as const;
export type AuditAsked = (typeof auditAsked)[number];
