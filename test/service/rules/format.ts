/** The required format of an answer. */
export interface Format {
  readonly kind: 'markdown' | 'code' | 'json';
  /** For code without text: whether it is in a fence. */
  readonly isFenced: boolean;
}

const json =
  /\b(as|in|only|valid|strict|strictly|return|respond with|answer with|reply with|output)\b[^.\n]{0,40}\bJSON\b|\bJSON\b[^.\n]{0,20}\b(only|object|array|format|schema)\b/i;
const code =
  /\b(only|just|nothing but)\b[^.\n]{0,30}\bcode\b|\bcode\b[^.\n]{0,15}\b(only|alone)\b|\b(no|without) (prose|explanations?|commentary)\b/i;
const fence = /\bfenced?\b|\bcode block\b|```/i;
const noFence = /\b(no|without|not?)\b[^.\n]{0,25}\b(fences?|code blocks?|markdown|backticks)\b/i;

/** The format that the instructions (never the code in a prompt) request. */
export function wantedFormat(instructions: string, wantsJson: boolean): Format {
  if (wantsJson || json.test(instructions)) return { kind: 'json', isFenced: false };
  if (code.test(instructions))
    return { kind: 'code', isFenced: fence.test(instructions) && !noFence.test(instructions) };
  return { kind: 'markdown', isFenced: true };
}
