/** Decodes standard base64 with padding. Returns null if the text is not the canonical encoding. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** Decodes a hash of 32 bytes in base64. Returns null if the text is not one. */
export function hashFromBase64(text: string): Buffer | null {
  const hash = fromBase64(text);
  return hash?.length === 32 ? hash : null;
}
