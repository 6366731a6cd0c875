import type { Message, ToolCall, ToolOffer } from '../client/chat.ts';
import { examineJson } from '../gate/secrets/examineJson.ts';
import type { FoundSecret } from '../gate/secrets/examineText.ts';
import { examineText } from '../gate/secrets/examineText.ts';
import type { SecretScanner } from '../gate/secrets/secretScanner.ts';
import { append } from '../util/append.ts';
import type { PlacedSecret, SentPart } from './confirmation.ts';
import { treatmentAt } from './destination.ts';
import { type Attachment, mayBeFragment } from './message/attachment.ts';
import { asAbove, asAboveBefore, leftOut, quote, quoteChanges } from './message/quote.ts';
import type { Outgoing, OutgoingMessage } from './outgoing.ts';
import { type Attached, isQuestion, QuotedFiles, type SentAs } from './repeats.ts';
import { validMessages } from './wire/validMessages.ts';

/** One form of the messages, and the secrets found in it. */
export interface Examined {
  readonly messages: readonly Message[];
  /** The parts of the text of each message. */
  readonly parts: readonly (readonly SentPart[])[];
  readonly offer?: ToolOffer;
  readonly masked: readonly FoundSecret[];
  readonly unmasked: readonly FoundSecret[];
}

interface Examination {
  readonly masked: Examined;
  /** The form with the new message's secrets unmasked. */
  readonly asIs: Examined;
  /** Secrets in the new message, which the user is asked about. */
  readonly found: readonly FoundSecret[];
  /** The name of each attachment, as sent or stored: secrets in it are masked regardless of the user's choice. */
  readonly labels: ReadonlyMap<Attachment, string>;
}

interface ExamineRules {
  readonly scanner: SecretScanner;
  /** Whether the policy allows the user to send a secret unmasked. */
  readonly mayUnmask: boolean;
  readonly excluded: ReadonlySet<Attachment>;
  /** The destination of the request: see destination.ts. */
  readonly destination: string;
}

/**
 * Looks for secrets in everything that would be sent. `excluded` are attachments of earlier messages that may no longer be sent:
 * their text is not examined, and a line states the omission. An attachment that repeats one above is replaced with a line, and
 * one that differs little from it is replaced with its changes. Throws a ServiceError: `gate` if masking does not terminate,
 * `aborted` on `signal`.
 */
export async function examine(
  { messages, offer }: Pick<Outgoing, 'messages' | 'offer'>,
  { scanner, mayUnmask, excluded, destination }: ExamineRules,
  signal?: AbortSignal,
): Promise<Examination> {
  const masked: MutableExamined = { messages: [], parts: [], masked: [], unmasked: [] };
  const asIs: MutableExamined = { messages: [], parts: [], masked: [], unmasked: [] };
  const found: FoundSecret[] = [];
  const labels = new Map<Attachment, string>();
  const scan: Scan = { scanner, signal };
  const above = new QuotedFiles();
  const examineMessage = async (message: OutgoingMessage): Promise<readonly ExaminedPart[]> => {
    // The label is not sent: it only names the place of a secret.
    const { label: where } = await examineLabel(message.label ?? null, scan);
    const parts: ExaminedPart[] = [];
    const treatment = treatmentAt(message.secrets, destination);
    const examinePart = async (
      part: string | Attachment,
      treatedAs: string,
      isOfQuestion: boolean,
    ): Promise<ExaminedPart> => {
      if (typeof part === 'string') return examineString(part, where, scan);
      const examined = await examineAttachment(part, excluded, scan);
      labels.set(part, examined.label);
      if (excluded.has(part)) return examined;
      const attached = { attachment: part, treatment: examined.found.length === 0 ? null : treatedAs, isOfQuestion };
      return examineQuoted(examined, attached, above, scan);
    };
    for (const part of message.lead ?? []) parts.push(asLead(await examinePart(part, 'mask', false)));
    for (const part of message.parts) parts.push(await examinePart(part, treatment, isQuestion(message)));
    for (const call of message.toolCalls ?? []) parts.push(await examineCall(call, scan));
    const secrets = parts.flatMap((part) => (part.isLead ? [] : part.found));
    if (treatment === 'ask') append(found, secrets);
    const toolCallId = await examineText(message.toolCallId ?? '', { where }, scanner, signal);
    const id = message.toolCallId === undefined ? {} : { id: toolCallId.masked };
    parts.push({ found: [], always: toolCallId.found, firstLine: 1, ...id });
    return parts.map((part) => ({ ...part, treatment }));
  };
  // Sequentially, so that other work gets its turn in between.
  for (const group of validMessages(messages, offer !== undefined && offer.tools.length > 0)) {
    const parts: ExaminedPart[] = [];
    for (const message of group) append(parts, await examineMessage(message));
    const { role } = group[0];
    put(masked, role, parts, (treatment) => mayUnmask && treatment === 'as-is');
    put(asIs, role, parts, (treatment) => mayUnmask && treatment !== 'mask');
  }
  if (offer === undefined) return { masked, asIs, found, labels };
  const examined = await examineOffer(offer, scan);
  // Secrets in calls are not part of the user's new text, so the user is not asked about them.
  for (const form of [masked, asIs]) append(form.masked, examined.found);
  return { masked: { ...masked, offer: examined.offer }, asIs: { ...asIs, offer: examined.offer }, found, labels };
}

interface Scan {
  readonly scanner: SecretScanner;
  readonly signal: AbortSignal | undefined;
}

interface MutableExamined extends Examined {
  readonly messages: Message[];
  readonly parts: (readonly SentPart[])[];
  readonly masked: FoundSecret[];
  readonly unmasked: FoundSecret[];
}

interface ExaminedPart {
  /** Undefined for a tool call, which is not part of the text. */
  readonly text?: Forms<string>;
  readonly call?: Forms<ToolCall>;
  readonly file?: NonNullable<SentPart['file']>;
  readonly quotedAbove?: string;
  readonly found: readonly FoundSecret[];
  /** Secrets in names, which are masked in both forms. */
  readonly always: readonly FoundSecret[];
  /** The number, in terms of the places of `found`, of the first line of the text. */
  readonly firstLine: number;
  /** Whether the part precedes the message: both forms are masked. */
  readonly isLead?: true;
  /** The treatment of the secrets in its message. */
  readonly treatment?: Treatment;
  /** The id of the call whose result the message is. */
  readonly id?: string;
}

type Treatment = ReturnType<typeof treatmentAt>;
type IsAsIs = (treatment: Treatment) => boolean;

interface Forms<T> {
  readonly masked: T;
  readonly asIs: T;
}

function put(to: MutableExamined, role: Message['role'], parts: readonly ExaminedPart[], isAsIs: IsAsIs): void {
  const formOf = ({ treatment = 'mask' }: ExaminedPart) => (isAsIs(treatment) ? 'asIs' : 'masked');
  const texts = parts.flatMap((part) => (part.text === undefined ? [] : [part.text[formOf(part)]]));
  const toolCalls = parts.flatMap((part) => (part.call === undefined ? [] : [part.call[formOf(part)]]));
  const toolCallId = parts.find(({ id }) => id !== undefined)?.id;
  to.messages.push({
    role,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    content: texts.join(partEnd),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  });
  to.parts.push(placed(parts, isAsIs));
  for (const part of parts) append(to[isUnmaskedIn(part, isAsIs) ? 'unmasked' : 'masked'], part.found);
  for (const { always } of parts) append(to.masked, always);
}

function isUnmaskedIn({ treatment = 'mask', isLead }: ExaminedPart, isAsIs: IsAsIs): boolean {
  return isAsIs(treatment) && !isLead;
}

/** The text between two parts of a message. */
const partEnd = '\n\n';

function placed(parts: readonly ExaminedPart[], isAsIs: IsAsIs): readonly SentPart[] {
  const placedParts: SentPart[] = [];
  let start = 0;
  for (const part of parts) {
    const { text, file, quotedAbove, found, always, firstLine, isLead } = part;
    if (text === undefined) continue;
    const isUnmasked = isUnmaskedIn(part, isAsIs);
    const end = start + text[isUnmasked ? 'asIs' : 'masked'].length;
    const inText = found.map(({ rule, line }): PlacedSecret => ({ rule, line: line - firstLine }));
    // A name is quoted in the first line.
    const inName = always.map(({ rule, line }): PlacedSecret => ({ rule, line: line - 1 }));
    placedParts.push({
      start,
      end,
      ...(file === undefined ? {} : { file }),
      ...(quotedAbove === undefined ? {} : { quotedAbove }),
      ...(isLead ? { isLead } : {}),
      masked: isUnmasked ? inName : [...inName, ...inText],
      unmasked: isUnmasked ? inText : [],
    });
    start = end + partEnd.length;
  }
  return placedParts;
}

async function examineString(text: string, where: string | null, { scanner, signal }: Scan): Promise<ExaminedPart> {
  const { masked, found } = await examineText(text, { where }, scanner, signal);
  return { text: { masked, asIs: text }, found, always: [], firstLine: 1 };
}

/** Returns a part that the user has not written and is not asked about. */
function asLead(part: ExaminedPart): ExaminedPart {
  const { text } = part;
  return { ...part, isLead: true, ...(text === undefined ? {} : { text: { ...text, asIs: text.masked } }) };
}

/** The result of a call repeats its id: the id is masked separately from the input, so that both ids stay equal. */
async function examineCall(call: ToolCall, { scanner, signal }: Scan): Promise<ExaminedPart> {
  const name = await examineText(call.name, { where: null }, scanner, signal);
  const where = name.masked;
  const id = await examineText(call.id, { where }, scanner, signal);
  const { masked: input, found } = await examineJson(call.input, where, scanner, signal);
  const named = { ...call, id: id.masked, name: where };
  const always = [...name.found, ...id.found].map((one) => ({ ...one, where }));
  return { call: { masked: { ...named, input }, asIs: named }, found, always, firstLine: 1 };
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
): Promise<ExaminedAttachment> {
  const { label, always } = await examineLabel(attachment.label, scan);
  if (excluded.has(attachment)) {
    const line = leftOut(label);
    return { text: { masked: line, asIs: line }, found: [], always, label, firstLine: 1 };
  }
  const { text, firstLine, marks } = attachment;
  const { scanner, signal } = scan;
  const isFragment = mayBeFragment(attachment);
  const examined = await examineText(text, { where: label, firstLine, marks, isFragment }, scanner, signal);
  const quoted = (shown: string): string => quote({ ...attachment, label, text: shown });
  return {
    text: { masked: quoted(examined.masked), asIs: quoted(text) },
    file: { label, bytes: Buffer.byteLength(text) },
    found: examined.found,
    always,
    label,
    firstLine: firstLine - linesBefore(label),
  };
}

type ExaminedAttachment = ExaminedPart & { readonly label: string };

/** Examines what is sent of an attachment, given the attachments above it. */
async function examineQuoted(
  whole: ExaminedAttachment,
  attached: Attached,
  above: QuotedFiles,
  scan: Scan,
): Promise<ExaminedPart> {
  const sentAs = above.sentAs(attached);
  const short = await shortened(whole, sentAs, scan);
  above.add(attached, short === null ? { is: 'whole' } : sentAs);
  return short ?? whole;
}

/** Returns null for an attachment that is sent whole. Otherwise, its name stays, and so do the secrets in the name. */
async function shortened(
  { label, always }: ExaminedAttachment,
  sentAs: SentAs,
  scan: Scan,
): Promise<ExaminedPart | null> {
  const about = { found: [], always, firstLine: 1 };
  const asText = (text: string) => ({ masked: text, asIs: text });
  switch (sentAs.is) {
    case 'whole':
      return null;
    case 'repeat':
      return { ...about, text: asText(asAbove(label)), quotedAbove: label };
    case 'before-changes':
      return { ...about, text: asText(asAboveBefore(label)), quotedAbove: label };
    case 'changes': {
      const { hunks } = sentAs;
      // The hunks join lines that are separate in the file.
      const { found } = await examineText(hunks, { where: label, isFragment: true }, scan.scanner, scan.signal);
      if (found.length > 0) return null;
      const file = { label, bytes: Buffer.byteLength(hunks), isChanges: true } as const;
      return { ...about, text: asText(quoteChanges(label, hunks)), file };
    }
  }
}

/** The number of lines of a quote before its text: the name and the fence. */
function linesBefore(label: string): number {
  return label.split(/\r\n|\r|\n/).length + 1;
}

/** The place of a secret in a label is the label itself, after masking. */
async function examineLabel<T extends string | null>(label: T, { scanner, signal }: Scan) {
  if (label === null) return { label, always: [] };
  const { masked, found } = await examineText(label, { where: null }, scanner, signal);
  return { label: masked as T, always: found.map((one) => ({ ...one, where: masked })) };
}
