import * as z from 'zod/mini';
import type { AuditCall } from '../../protocol/auditMessages.ts';

const id = z.int();

/** The calls of the page. The page is not trusted: a message of any other form is ignored. */
export const auditCall = z.union([
  z.object({ type: z.enum(['ready', 'refresh', 'verify']), id }),
  z.object({ type: z.literal('export'), id, format: z.enum(['jsonl', 'csv']) }),
]) satisfies z.ZodMiniType<AuditCall>;
