import type { Usage } from '../../client/chat.ts';

/**
 * Bytes of UTF-8 per token, before a service has counted any. Public tokenizers have 3.6 to 4.1 for code, 2.9 to 4.1 for
 * prose and 2.4 for lock files: too many tokens are estimated rather than too few.
 */
export const bytesPerToken = 3.2;

/** Tokens of a message besides its text: its role and delimiters. */
export const tokensPerMessage = 4;

/** Estimates the tokens of a text. The interface document names no tokenizer, and models differ. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Estimates the tokens of a request: `bytes` of its messages and tools, in UTF-8. */
export function tokensIn(bytes: number, messageCount: number, perToken: number): number {
  return Math.ceil(bytes / perToken) + tokensPerMessage * messageCount;
}

/** Returns the tokens that a service counted, or undefined if it counted none. Some services send zeros in place of a count. */
export function countedTokens({ totalTokens = 0, promptTokens = 0, completionTokens = 0 }: Usage): number | undefined {
  // Each request has tokens, so a count of the answer alone is not a count of the request.
  const counted = totalTokens > 0 || promptTokens <= 0 ? totalTokens : promptTokens + completionTokens;
  return counted > 0 ? counted : undefined;
}

/** The bytes per token of each target, learned from the token counts of its answers. Kept in memory only. */
export class Calibration {
  /** In the order of use, the oldest first. */
  readonly #learned = new Map<string, { readonly perToken: number; readonly answers: number }>();

  perToken(target: string): number {
    return this.#learned.get(target)?.perToken ?? bytesPerToken;
  }

  /**
   * Learns from the tokens that the service counted for a request with this many bytes. Returns whether they are far fewer than
   * the request has: then the service did not read all of it, and nothing is learned.
   */
  learn(target: string, bytes: number, promptTokens: number | undefined): 'learned' | 'reads-less' | 'ignored' {
    if (promptTokens === undefined || !Number.isFinite(promptTokens) || promptTokens <= 0) return 'ignored';
    // A token has at least one byte, except the tokens of the delimiters.
    if (bytes === 0 || promptTokens > bytes + slackTokens) return 'ignored';
    const { perToken, answers } = this.#learned.get(target) ?? { perToken: bytesPerToken, answers: 0 };
    const found = bytes / promptTokens;
    const tooMany = answers < answersToTrust ? manyBytes : tooManyTimes * perToken;
    if (bytes >= bytesToJudge && found > tooMany) return 'reads-less';
    const bounded = Math.min(8, Math.max(1.2, found));
    this.#learned.delete(target);
    this.#learned.set(target, { perToken: 0.7 * perToken + 0.3 * bounded, answers: answers + 1 });
    if (this.#learned.size > maxTargets) this.#learned.delete([...this.#learned.keys()][0] ?? '');
    return 'learned';
  }
}

/** Templates of a service add tokens that have no bytes in the request. */
const slackTokens = 2000;
/** The number of answers after which an estimate is close. */
const answersToTrust = 3;
/** No text has this many bytes per token. */
const manyBytes = 7;
const tooManyTimes = 1.8;
/** A shorter request fits any model. */
const bytesToJudge = 24 * 1024;
const maxTargets = 64;
