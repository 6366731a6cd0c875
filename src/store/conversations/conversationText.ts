import * as z from 'zod/mini';
import { jsonOf, tooLarge } from './conversationFile.ts';
import { fileVersion, maxFileBytes, type StoredConversation } from './conversationShape.ts';
import { type ConversationSummary, summaryOf } from './conversationSummary.ts';

/** The head of a file fits in its first bytes: a title of 80 characters and a model of 300, in any encoding. */
export const headBytes = 4096;

/**
 * The text of a file. Its head has a `stamp`, so that the first bytes show whether it has changed, and the entry for
 * the list of conversations, with the size of the file: if that matches, no other program has changed it.
 */
export function textOf(conversation: StoredConversation, stamp: string): string {
  const { turns, ...head } = conversation;
  const fields = JSON.stringify(head).slice(0, -1);
  const before = `{"version":${fileVersion},"stamp":"${stamp}","bytes":"`;
  const after = `","summary":${JSON.stringify(summaryOf(conversation))},"conversation":${fields},"turns":[${turns.map(jsonOf).join(',')}]}}\n`;
  const bytes = Buffer.byteLength(before) + digits + Buffer.byteLength(after);
  if (bytes > maxFileBytes) throw tooLarge();
  return before + String(bytes).padStart(digits, '0') + after;
}
const digits = 10;

/** Returns the stamp in the first bytes of a file, or undefined if they do not have our format. */
export function stampIn(head: string): string | undefined {
  return /^\{"version":\d{1,3},"stamp":"([0-9a-f]{16})"/.exec(head)?.[1];
}

const summarySchema = z.object({
  id: z.string(),
  title: z.string(),
  model: z.nullable(z.string()),
  createdAt: z.number(),
  updatedAt: z.number(),
  isPinned: z.boolean(),
  turns: z.number(),
});

const headPattern = new RegExp(
  `^\\{"version":${fileVersion},"stamp":"[0-9a-f]{16}","bytes":"(\\d{${digits}})","summary":(\\{.*?\\}),"conversation":\\{`,
  's',
);

/** Returns the summary in the first bytes of a file of this size, or null if the whole file has to be read for it. */
export function summaryIn(head: string, size: number, id: string): ConversationSummary | null {
  const [, bytes, json = ''] = headPattern.exec(head) ?? [];
  if (bytes === undefined || Number(bytes) !== size) return null;
  try {
    const parsed = summarySchema.safeParse(JSON.parse(json));
    return parsed.success && parsed.data.id === id ? parsed.data : null;
  } catch {
    return null;
  }
}
