import * as z from 'zod/mini';
import type { AuditCalls } from '../../protocol/audit/auditMessages.ts';
import type { CallShapes } from '../page/channel.ts';

/** The parameters of each call of the audit page. */
export const auditCallShapes = {
  ready: null,
  refresh: null,
  verify: null,
  openChat: null,
  export: z.object({ format: z.enum(['evidence', 'csv']) }),
} satisfies CallShapes<AuditCalls>;
