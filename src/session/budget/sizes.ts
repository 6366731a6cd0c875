import type { Attachment } from '../conversation/attachment.ts';
import type { OutgoingMessage } from '../dispatch/outgoing.ts';

/** The size of a text. */
export interface Size {
  /** In UTF-8. */
  readonly bytes: number;
  /** In the request's body, where it is JSON, estimated. */
  readonly json: number;
}

export const nothing: Size = { bytes: 0, json: 0 };

/** Texts of attachments never change, and a conversation sends them again and again. */
const bytesOfAttachment = new WeakMap<Attachment, number>();
const jsonSizes = new WeakMap<Attachment, number>();

/** Line breaks and quotes have two bytes in JSON: in code a twentieth of it, in JSON a fifth. */
const escaped = 1.25;

/** The lines that quote an attachment, besides its names: fences and line breaks. */
const quoteBytes = 40;

export function bytesOfPart(part: string | Attachment): number {
  if (typeof part === 'string') return Buffer.byteLength(part);
  const known = bytesOfAttachment.get(part);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(part.text) + Buffer.byteLength(part.label) + part.languageId.length + quoteBytes;
  bytesOfAttachment.set(part, bytes);
  return bytes;
}

function jsonOfAttachment(file: Attachment): number {
  const known = jsonSizes.get(file);
  if (known !== undefined) return known;
  const json =
    Buffer.byteLength(JSON.stringify(file.text)) + Buffer.byteLength(JSON.stringify(file.label)) + quoteBytes;
  jsonSizes.set(file, json);
  return json;
}

export function sizeOf(part: string | Attachment): Size {
  const bytes = bytesOfPart(part);
  // Attachments are what is large, and are counted once. The size of the body itself is checked before it is sent.
  return { bytes, json: typeof part === 'string' ? Math.ceil(bytes * escaped) : jsonOfAttachment(part) };
}

/** The calls of a message, which are JSON inside JSON. */
export function sizeOfCalls({ toolCalls = [] }: OutgoingMessage): Size {
  if (toolCalls.length === 0) return nothing;
  const bytes = Buffer.byteLength(JSON.stringify(toolCalls));
  return { bytes, json: bytes * 2 };
}

export function sum(...sizes: readonly Size[]): Size {
  return sizes.reduce((a, b) => ({ bytes: a.bytes + b.bytes, json: a.json + b.json }), nothing);
}
