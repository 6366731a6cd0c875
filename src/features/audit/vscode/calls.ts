import * as z from 'zod/mini';
import type { CallShapes } from '../../../platform/pages/channel.ts';
import type { AuditCalls } from '../../../protocol/audit/auditMessages.ts';

/** The parameters of each call of the audit page. */
export const auditCallShapes = {
  ready: null,
  refresh: null,
  verify: null,
  openChat: null,
  export: z.object({ format: z.enum(['evidence', 'csv']) }),
} satisfies CallShapes<AuditCalls>;
