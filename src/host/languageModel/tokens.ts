/**
 * Estimates the tokens of a text: one per four bytes of UTF-8. The interface document names no tokenizer, and models
 * differ. The estimate is close for English and code, and tends to be high for other scripts.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Tokens per message for its role and delimiters. */
export const tokensPerMessage = 4;
