/**
 * How many tokens a text may have: one for four bytes of UTF-8. The interface document names no tokenizer, and models
 * differ; for English and for code the estimate is near, for other scripts it rather counts too many.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** What a message costs beside its text: its role and its borders. */
export const tokensPerMessage = 4;
