import * as z from 'zod/mini';
import type { CallShapes } from '../../../platform/pages/channel.ts';
import { cardActionIds } from '../../../protocol/card.ts';
import type { PanelCalls } from '../../../protocol/panelCalls.ts';
import { maxSummaryChars, maxText } from '../../../protocol/panelEvents.ts';

const id = z.string().check(z.maxLength(100));
const messageId = z.string().check(z.maxLength(1_000));
const text = z.string().check(z.maxLength(maxText));
const decision = z.enum(['accept', 'reject']);
const shown = z.object({ set: id, version: z.int() });
const attachments = z.array(z.int()).check(z.maxLength(1000));

/** The parameters of each call of the panel. */
export const panelShapes = {
  ready: null,
  send: z.object({ text, typed: z.int().check(z.nonnegative()) }),
  actOnWaiting: z.object({ act: z.enum(['send', 'edit', 'remove']) }),
  askStarter: z.object({ id }),
  stop: null,
  edit: z.object({ turnId: id, text, attachments }),
  showBranch: z.object({ turnId: id }),
  retryNow: z.object({ turnId: id }),
  editSummary: z.object({ turnId: id, text: z.string().check(z.maxLength(maxSummaryChars)) }),
  undoSummary: z.object({ turnId: id }),
  newChat: null,
  act: z.object({
    action: z.enum(cardActionIds),
    turnId: z.exactOptional(id),
    messageId: z.exactOptional(messageId),
    // A card offers `http.proxy` if a proxy is wrong.
    setting: z.exactOptional(z.string().check(z.regex(/^(?:svc\.[A-Za-z.]{1,80}|http\.proxy)$/))),
  }),
  closeReceipt: z.object({ turnId: id, isSummary: z.boolean() }),
  dismiss: z.object({ id: messageId }),
  copy: z.object({ text: z.string().check(z.maxLength(16_000_000)) }),
  useCode: z.object({
    turnId: id,
    way: z.enum(['insert', 'newFile', 'apply']),
    info: z.string().check(z.maxLength(1_000)),
    text,
  }),
  applyAll: z.object({ turnId: id }),
  openLink: z.object({ href: z.string().check(z.maxLength(8_192)) }),
  decide: z.object({ turnId: id, asked: z.int(), choice: z.enum(['send-masked', 'send-as-is', 'cancel']) }),
  showExactText: z.object({ turnId: id }),
  decideTool: z.object({ turnId: id, stepId: id, asked: z.int(), decision: z.enum(['once', 'conversation', 'deny']) }),
  showToolResult: z.object({ turnId: id, stepId: id }),
  openChange: z.object({ id }),
  decideChange: z.object({ id, version: z.int(), decision }),
  carryOverChange: z.object({ id, version: z.int() }),
  decideChanges: z.object({ shown, decision }),
  undoChanges: z.object({ shown }),
  closeChanges: null,
  typeCommand: z.object({ name: z.string().check(z.maxLength(200)) }),
  typeText: z.object({ bytes: z.int().check(z.nonnegative()) }),
  keepText: z.object({
    draft: z.exactOptional(text),
    pasted: z.exactOptional(z.array(text).check(z.maxLength(100))),
    editing: z.exactOptional(z.object({ turnId: id, text, attachments })),
    summary: z.exactOptional(z.object({ turnId: id, text })),
  }),
  removeAttachment: z.object({ id }),
  followEditor: null,
  complete: z.object({
    request: z.int(),
    shown: z.nullable(z.int()),
    trigger: z.enum(['@', '/']),
    query: z.string().check(z.maxLength(200)),
  }),
  chooseContext: z.object({ id }),
  drop: z.object({ uris: z.array(z.string().check(z.maxLength(8_192))).check(z.maxLength(50)) }),
  preview: z.object({ text }),
  chooseTools: null,
  chooseMode: null,
  carryOut: z.object({ turnId: id }),
  goOn: null,
  openAttachment: z.object({ id }),
  showHelp: null,
  showPosture: null,
} satisfies CallShapes<PanelCalls>;
