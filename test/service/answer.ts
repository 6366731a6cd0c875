import { catalogAnswer, listedRules } from './rules/catalogReview.ts';
import { chatAnswer } from './rules/chat.ts';
import { asksToComplete, completeAnswer } from './rules/complete.ts';
import { commitAnswer, editAnswer } from './rules/edit.ts';
import { explainAnswer } from './rules/explain.ts';
import { wantedFormat } from './rules/format.ts';
import { asksForCode, generateAnswer } from './rules/generate.ts';
import { codeBlocks, ownWords, proseOf, titlesOfBlocks, withoutHouseRules } from './rules/prompt.ts';
import { reviewAnswer } from './rules/review.ts';
import { asksForSummary, summaryAnswer } from './rules/summary.ts';
import { afterTools } from './rules/tools.ts';
import { asksForWhole, wholeAnswer } from './rules/whole.ts';

/** The input for an answer. */
export interface AnswerRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** The Svc-* headers of the request, in the order of the interface document. */
  readonly svcHeaders: readonly (readonly [name: string, value: string])[];
  /** The request's response_format asks for JSON. */
  readonly wantsJson?: boolean;
}

/** The first line of every answer in Markdown. */
export const label = '*Answer from the rules of the local service, not from a language model.*';

/**
 * Returns an answer by rules, the same for the same request: an explanation, a small function, a review, or a short
 * reply. If only code or JSON is requested, the label is a comment in the code, or is omitted from the JSON and from a
 * completion.
 */
export function answerFor(request: AnswerRequest): string {
  const after = request.messages.findLastIndex(({ role }) => role !== 'tool') + 1;
  if (after < request.messages.length) {
    return `${label}\n\n${afterTools(request.messages.slice(after).map(({ content }) => content))}`;
  }
  const users = request.messages.filter(({ role }) => role === 'user').map(({ content }) => withoutHouseRules(content));
  const system = request.messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => content)
    .join('\n');
  const asked = users.at(-1) ?? '';
  const prompt = ownWords(asked);
  const words = proseOf(prompt);
  // An agent's instructions mention everything it could be asked for.
  const instructions = prompt === asked ? `${system}\n${words}` : words;
  const format = wantedFormat(instructions, request.wantsJson === true);
  // A follow-up such as "explain it again" refers to the code of an earlier message.
  const blocks = users.map(codeBlocks).findLast((found) => found.length > 0) ?? [];

  if (asksForWhole(words)) {
    const before = request.messages.slice(0, -2);
    return before.length > 0 ? answerFor({ ...request, messages: before }) : wholeAnswer(blocks);
  }
  if (asksToComplete(prompt)) return completeAnswer(prompt);
  if (asksForSummary(prompt)) return `${label}\n\n${summaryAnswer(users.slice(0, -1))}`;
  const written = editAnswer(words, blocks) ?? commitAnswer(words, blocks);
  if (written !== undefined) return written;
  if (isReview(instructions, format.kind)) {
    const listed = listedRules(instructions);
    if (format.kind === 'json' && listed.size > 0) {
      return catalogAnswer(listed, blocks, words.includes('{"files":[') ? titlesOfBlocks(asked) : null);
    }
    const review = reviewAnswer({
      instructions,
      blocks,
      prompt,
      svcHeaders: request.svcHeaders,
    });
    return format.kind === 'json' ? review.json : `${label}\n\n${review.markdown}`;
  }
  if (format.kind === 'code') return generateAnswer(words, blocks, format);
  if (format.kind === 'json') return JSON.stringify({ answer: chatAnswer(words, request.svcHeaders, request.model) });
  if (blocks.length > 0 && /\b(explain|what (does|do|is)|how does|describe|summari[sz]e|outline)\b/i.test(words))
    return `${label}\n\n${explainAnswer(blocks)}`;
  if (asksForCode(words)) return `${label}\n\n${generateAnswer(words, blocks, format)}`;
  return `${label}\n\n${chatAnswer(words, request.svcHeaders, request.model)}`;
}

function isReview(instructions: string, kind: 'markdown' | 'code' | 'json'): boolean {
  if (kind === 'code') return false;
  return /\b(review|findings?|vulnerabilit(y|ies)|complian(ce|t)|check .* against)\b/i.test(instructions);
}
