import type { Message, ToolCall, ToolOffer } from '../../client/chat.ts';
import { examineJson } from '../../gate/secrets/examineJson.ts';
import type { FoundSecret } from '../../gate/secrets/examineText.ts';
import { examineText } from '../../gate/secrets/examineText.ts';
import type { SecretScanner } from '../../gate/secrets/secretScanner.ts';
import { append } from '../../util/append.ts';
import type { Attachment } from '../conversation/attachment.ts';
import { leftOut, quote } from '../prompts/prompts.ts';
import { treatmentAt } from './destination.ts';
import type { Outgoing } from './outgoing.ts';

/** One form of the messages, and the secrets found in it. */
export interface Examined {
  readonly messages: readonly Message[];
  readonly offer?: ToolOffer;
  readonly masked: readonly FoundSecret[];
  readonly unmasked: readonly FoundSecret[];
}

export interface Examination {
  readonly masked: Examined;
  /** With the new message's secrets unmasked. */
  readonly asIs: Examined;
  /** Secrets in the new message, which the user is asked about. */
  readonly found: readonly FoundSecret[];
  /** The name of each attachment, as sent or stored: secrets in it are masked regardless of the user's choice. */
  readonly labels: ReadonlyMap<Attachment, string>;
}

export interface ExamineRules {
  readonly scanner: SecretScanner;
  /** The policy allows the user to send a secret unmasked. */
  readonly mayUnmask: boolean;
  readonly excluded: ReadonlySet<Attachment>;
  /** The destination of the request: see destination.ts. */
  readonly destination: string;
}

/**
 * Looks for secrets in everything that would leave. `excluded` are attachments of earlier messages that may no longer
 * leave: their text is not examined, and a line states the omission. Throws a ServiceError: `gate` if masking does not
 * terminate, `aborted` on `signal`.
 */
export async function examine(
  { messages, offer }: Pick<Outgoing, 'messages' | 'offer'>,
  { scanner, mayUnmask, excluded, destination }: ExamineRules,
  signal?: AbortSignal,
): Promise<Examination> {
  const masked: MutableExamined = { messages: [], masked: [], unmasked: [] };
  const asIs: MutableExamined = { messages: [], masked: [], unmasked: [] };
  const found: FoundSecret[] = [];
  const labels = new Map<Attachment, string>();
  const scan: Scan = { scanner, signal };
  // Sequentially, so that other work gets its turn in between.
  for (const message of messages) {
    // The label is not sent: it only names the place of a secret.
    const { label: where } = await examineLabel(message.label ?? null, scan);
    const parts: ExaminedPart[] = [];
    for (const part of message.parts) {
      if (typeof part === 'string') {
        const examined = await examineText(part, { where }, scanner, signal);
        parts.push({ text: { masked: examined.masked, asIs: part }, found: examined.found, always: [] });
        continue;
      }
      const examined = await examineAttachment(part, excluded, scan);
      labels.set(part, examined.label);
      parts.push(examined);
    }
    for (const call of message.toolCalls ?? []) parts.push(await examineCall(call, scan));
    const secrets = parts.flatMap((part) => part.found);
    const treatment = treatmentAt(message.secrets, destination);
    if (treatment === 'ask') append(found, secrets);
    const toolCallId = await examineText(message.toolCallId ?? '', { where }, scanner, signal);
    parts.push({ found: [], always: toolCallId.found });
    const header = {
      role: message.role,
      ...(message.toolCallId === undefined ? {} : { toolCallId: toolCallId.masked }),
    };
    put(masked, header, parts, mayUnmask && treatment === 'as-is');
    put(asIs, header, parts, mayUnmask && treatment !== 'mask');
  }
  if (offer === undefined) return { masked, asIs, found, labels };
  const examined = await examineOffer(offer, scan);
  // They are not part of the user's new text, so the user is not asked about them.
  for (const form of [masked, asIs]) append(form.masked, examined.found);
  return { masked: { ...masked, offer: examined.offer }, asIs: { ...asIs, offer: examined.offer }, found, labels };
}

interface Scan {
  readonly scanner: SecretScanner;
  readonly signal: AbortSignal | undefined;
}

interface MutableExamined extends Examined {
  readonly messages: Message[];
  readonly masked: FoundSecret[];
  readonly unmasked: FoundSecret[];
}

interface ExaminedPart {
  /** Absent for a tool call, which is not part of the text. */
  readonly text?: Forms<string>;
  readonly call?: Forms<ToolCall>;
  readonly found: readonly FoundSecret[];
  /** Secrets in names, which are masked in both forms. */
  readonly always: readonly FoundSecret[];
}

interface Forms<T> {
  readonly masked: T;
  readonly asIs: T;
}

function put(
  to: MutableExamined,
  header: Pick<Message, 'role' | 'toolCallId'>,
  parts: readonly ExaminedPart[],
  isAsIs: boolean,
): void {
  const form = isAsIs ? 'asIs' : 'masked';
  const texts = parts.flatMap(({ text }) => (text === undefined ? [] : [text[form]]));
  const toolCalls = parts.flatMap(({ call }) => (call === undefined ? [] : [call[form]]));
  to.messages.push({ ...header, content: texts.join('\n\n'), ...(toolCalls.length === 0 ? {} : { toolCalls }) });
  for (const { found } of parts) append(to[isAsIs ? 'unmasked' : 'masked'], found);
  for (const { always } of parts) append(to.masked, always);
}

/** The result of a call repeats its id: both are masked separately, so that they stay equal. */
async function examineCall(call: ToolCall, { scanner, signal }: Scan): Promise<ExaminedPart> {
  const name = await examineText(call.name, { where: null }, scanner, signal);
  const where = name.masked;
  const id = await examineText(call.id, { where }, scanner, signal);
  const { masked: input, found } = await examineJson(call.input, where, scanner, signal);
  const named = { ...call, id: id.masked, name: where };
  const always = [...name.found, ...id.found].map((one) => ({ ...one, where }));
  return { call: { masked: { ...named, input }, asIs: named }, found, always };
}

async function examineOffer(offer: ToolOffer, { scanner, signal }: Scan) {
  const all = offer.tools.map(({ name, description, schema = null }) => [name, description, schema] as const);
  const { masked, found } = await examineJson(all, 'tools', scanner, signal);
  if (found.length === 0) return { offer, found };
  const tools = masked.map(([name, description, schema]) =>
    schema === null ? { name, description } : { name, description, schema },
  );
  return { offer: { ...offer, tools }, found };
}

async function examineAttachment(
  attachment: Attachment,
  excluded: ReadonlySet<Attachment>,
  scan: Scan,
): Promise<ExaminedPart & { readonly label: string }> {
  const { label, always } = await examineLabel(attachment.label, scan);
  if (excluded.has(attachment)) {
    const line = leftOut(label);
    return { text: { masked: line, asIs: line }, found: [], always, label };
  }
  const { text, firstLine, marks } = attachment;
  const { scanner, signal } = scan;
  const examined = await examineText(text, { where: label, firstLine, marks }, scanner, signal);
  const quoted = (shown: string): string => quote({ ...attachment, label, text: shown });
  return { text: { masked: quoted(examined.masked), asIs: quoted(text) }, found: examined.found, always, label };
}

/** The place of a secret in a label is the label itself, after masking. */
async function examineLabel<T extends string | null>(label: T, { scanner, signal }: Scan) {
  if (label === null) return { label, always: [] };
  const { masked, found } = await examineText(label, { where: null }, scanner, signal);
  return { label: masked as T, always: found.map((one) => ({ ...one, where: masked })) };
}
