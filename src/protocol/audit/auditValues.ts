import { verdicts } from '../verdict.ts';

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
