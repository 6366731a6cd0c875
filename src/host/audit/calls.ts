import * as z from 'zod/mini';
import type { AuditCall } from '../../protocol/auditMessages.ts';

const id = z.int();

/** What the page can ask for. It is not believed: a message of any other form is left alone. */
export const auditCall = z.union([
  z.object({ type: z.enum(['ready', 'refresh', 'verify']), id }),
  z.object({ type: z.literal('export'), id, format: z.enum(['jsonl', 'csv']) }),
]) satisfies z.ZodMiniType<AuditCall>;
