import type { Attachment } from '../message/attachment.ts';
import type { OutgoingMessage } from '../outgoing.ts';

/** The size of a text. */
export interface Size {
  /** The size in UTF-8. */
  readonly bytes: number;
  /** The size in the JSON of the request's body; the bytes that quote a part are estimated. */
  readonly json: number;
}

export const nothing: Size = { bytes: 0, json: 0 };

/** Texts of attachments never change, and a conversation sends them again and again. */
const bytesOfAttachment = new WeakMap<Attachment, number>();
const jsonSizes = new WeakMap<Attachment, number>();

/** The bytes of the lines that quote an attachment, besides its names: fences and line breaks. */
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
  const json = jsonOfText(file.text) + jsonOfText(file.label) + quoteBytes;
  jsonSizes.set(file, json);
  return json;
}

/** A quote has two bytes in JSON, a control character six. */
function jsonOfText(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

export function sizeOf(part: string | Attachment): Size {
  return { bytes: bytesOfPart(part), json: typeof part === 'string' ? jsonOfText(part) : jsonOfAttachment(part) };
}

/** The size of the calls of a message, which are JSON inside JSON. */
export function sizeOfCalls({ toolCalls = [] }: OutgoingMessage): Size {
  if (toolCalls.length === 0) return nothing;
  const bytes = Buffer.byteLength(JSON.stringify(toolCalls));
  return { bytes, json: bytes * 2 };
}

export function sum(...sizes: readonly Size[]): Size {
  return sizes.reduce((a, b) => ({ bytes: a.bytes + b.bytes, json: a.json + b.json }), nothing);
}
