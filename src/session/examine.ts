import type { Message } from '../client/chat.ts';
import type { Attachment } from './conversation.ts';
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
  { messages }: Pick<Outgoing, 'messages'>,
  { scanner, mayUnmask, excluded }: ExamineRules,
): Promise<Examination> {
  const masked: MutableExamined = { messages: [], masked: [], unmasked: [] };
  const asIs: MutableExamined = { messages: [], masked: [], unmasked: [] };
  const found: FoundSecret[] = [];
  for (const message of messages) {
    const parts = await Promise.all(message.parts.map((part) => examinePart(part, scanner, excluded)));
    const secrets = parts.flatMap((part) => part.found);
    if (message.secrets === 'ask') found.push(...secrets);
    put(masked, message, parts, mayUnmask && message.secrets === 'as-is');
    put(asIs, message, parts, mayUnmask && message.secrets !== 'mask');
  }
  return { masked, asIs, found };
}

export interface ExamineRules {
  readonly scanner: SecretScanner;
  /** The policy lets a person send a secret as it is. */
  readonly mayUnmask: boolean;
  readonly excluded: ReadonlySet<Attachment>;
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
}

function put(to: MutableExamined, { role }: OutgoingMessage, parts: readonly ExaminedPart[], isAsIs: boolean): void {
  const content = parts.map((part) => (isAsIs ? part.asIs : part.masked)).join('\n\n');
  to.messages.push({ role, content });
  to[isAsIs ? 'unmasked' : 'masked'].push(...parts.flatMap(({ found }) => found));
}

async function examinePart(
  part: string | Attachment,
  scanner: SecretScanner,
  excluded: ReadonlySet<Attachment>,
): Promise<ExaminedPart> {
  if (typeof part === 'string') {
    const { masked, found } = await examineText(part, null, 1, scanner);
    return { masked, asIs: part, found };
  }
  if (excluded.has(part)) {
    const leftOut = `[left out: ${part.label}]`;
    return { masked: leftOut, asIs: leftOut, found: [] };
  }
  const { masked, found } = await examineText(part.text, part.label, part.firstLine, scanner);
  return { masked: quote({ ...part, text: masked }), asIs: quote(part), found };
}

async function examineText(text: string, where: string | null, firstLine: number, scanner: SecretScanner) {
  let masked = text;
  const found: FoundSecret[] = [];
  // What was masked may have hidden another beside it: again until nothing is found. Lines stay where they are.
  for (let spans = await scanner.scanText(masked); spans.length > 0; spans = await scanner.scanText(masked)) {
    found.push(...spans.map(({ rule, line }) => ({ rule, where, line: firstLine + line - 1 })));
    masked = scanner.maskText(masked, spans);
  }
  return { masked, found };
}
