import type { Message, ToolCall, ToolOffer } from '../client/chat.ts';
import type { Attachment } from './conversation.ts';
import { treatmentAt } from './destination.ts';
import { examineJson } from './examineJson.ts';
import { examineText } from './examineText.ts';
import type { Outgoing, OutgoingMessage } from './outgoing.ts';
import { quote } from './prompts.ts';
import type { FoundSecret } from './review.ts';

/** A secret and where it stands in a text (gate/secrets.ts finds them). */
export interface SecretSpan {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
}

export interface SecretScanner {
  scanText(text: string): Promise<readonly SecretSpan[]>;
  /** Puts a mark in each secret's place; the number of lines stays. */
  maskText(text: string, found: readonly SecretSpan[]): string;
}

/** One form of the messages, and what was done to them. */
export interface Examined {
  readonly messages: readonly Message[];
  readonly offer?: ToolOffer;
  readonly masked: readonly FoundSecret[];
  readonly unmasked: readonly FoundSecret[];
}

export interface Examination {
  readonly masked: Examined;
  /** With the secrets of the new message in it. */
  readonly asIs: Examined;
  /** Secrets in the new message, which the person is asked about. */
  readonly found: readonly FoundSecret[];
}

/**
 * Looks for secrets in all that would leave. `excluded` are attachments of earlier messages that may not leave any more:
 * their text is not even looked at, and a line says that it was left out.
 */
export async function examine(
  { messages, offer }: Pick<Outgoing, 'messages' | 'offer'>,
  { scanner, mayUnmask, excluded, destination }: ExamineRules,
): Promise<Examination> {
  const masked: MutableExamined = { messages: [], masked: [], unmasked: [] };
  const asIs: MutableExamined = { messages: [], masked: [], unmasked: [] };
  const found: FoundSecret[] = [];
  for (const message of messages) {
    const texts = message.parts.map((part) => examinePart(part, message, scanner, excluded));
    const calls = await examineCalls(message, scanner);
    const parts = [...(await Promise.all(texts)), ...calls];
    const secrets = parts.flatMap((part) => part.found);
    const treatment = treatmentAt(message.secrets, destination);
    if (treatment === 'ask') found.push(...secrets);
    put(masked, message, parts, mayUnmask && treatment === 'as-is');
    put(asIs, message, parts, mayUnmask && treatment !== 'mask');
  }
  if (offer === undefined) return { masked, asIs, found };
  const examined = await examineOffer(offer, scanner);
  // Nobody wrote them for this request, so nobody is asked about them.
  for (const form of [masked, asIs]) form.masked.push(...examined.found);
  return { masked: { ...masked, offer: examined.offer }, asIs: { ...asIs, offer: examined.offer }, found };
}

export interface ExamineRules {
  readonly scanner: SecretScanner;
  /** The policy lets a person send a secret as it is. */
  readonly mayUnmask: boolean;
  readonly excluded: ReadonlySet<Attachment>;
  /** Where the request goes: see destination.ts. */
  readonly destination: string;
}

interface MutableExamined extends Examined {
  readonly messages: Message[];
  readonly masked: FoundSecret[];
  readonly unmasked: FoundSecret[];
}

interface ExaminedPart {
  readonly masked: string;
  readonly asIs: string;
  readonly found: readonly FoundSecret[];
  /** Of a tool call, the call in both forms; it is no part of the text. */
  readonly calls?: { readonly masked: ToolCall; readonly asIs: ToolCall };
}

function put(to: MutableExamined, message: OutgoingMessage, parts: readonly ExaminedPart[], isAsIs: boolean): void {
  const { role, toolCallId } = message;
  const form = isAsIs ? 'asIs' : 'masked';
  const texts = parts.filter(({ calls }) => calls === undefined).map((part) => part[form]);
  const toolCalls = parts.flatMap(({ calls }) => (calls === undefined ? [] : [calls[form]]));
  to.messages.push({
    role,
    content: texts.join('\n\n'),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  });
  to[isAsIs ? 'unmasked' : 'masked'].push(...parts.flatMap(({ found }) => found));
}

async function examineCalls({ toolCalls = [] }: OutgoingMessage, scanner: SecretScanner): Promise<ExaminedPart[]> {
  return Promise.all(
    toolCalls.map(async (call) => {
      const { masked: input, found } = await examineJson(call.input, call.name, scanner);
      return { masked: '', asIs: '', found, calls: { masked: { ...call, input }, asIs: call } };
    }),
  );
}

async function examineOffer(offer: ToolOffer, scanner: SecretScanner) {
  const all = offer.tools.map(({ name, description, schema = null }) => [name, description, schema] as const);
  const { masked, found } = await examineJson(all, 'tools', scanner);
  if (found.length === 0) return { offer, found };
  const tools = masked.map(([name, description, schema]) =>
    schema === null ? { name, description } : { name, description, schema },
  );
  return { offer: { ...offer, tools }, found };
}

async function examinePart(
  part: string | Attachment,
  { label = null }: { readonly label?: string | null },
  scanner: SecretScanner,
  excluded: ReadonlySet<Attachment>,
): Promise<ExaminedPart> {
  if (typeof part === 'string') {
    const { masked, found } = await examineText(part, label, 1, scanner);
    return { masked, asIs: part, found };
  }
  if (excluded.has(part)) {
    const leftOut = `[left out: ${part.label}]`;
    return { masked: leftOut, asIs: leftOut, found: [] };
  }
  const { masked, found } = await examineText(part.text, part.label, part.firstLine, scanner);
  return { masked: quote({ ...part, text: masked }), asIs: quote(part), found };
}
