import type { Attachment } from '../message/attachment.ts';
import type { OutgoingMessage } from '../outgoing.ts';
import { isSameFile } from '../repeats.ts';
import { candidates, lastTurns, olderTurns } from './candidates.ts';
import { Draft, type Step } from './draft.ts';
import { type Shortened, shortenedBy } from './leftOut.ts';
import { bytesOfPart, nothing, type Size, sizeOf, sum } from './sizes.ts';
import { tokensIn } from './tokens.ts';

/** The maximum size of a request. */
export interface Budget {
  /** null means no limit. */
  readonly tokens: number | null;
  /** The maximum size of the body, in UTF-8. */
  readonly bytes: number;
  /** The number of bytes of one token: see tokens.ts. */
  readonly perToken: number;
}

export interface FitInput {
  readonly messages: readonly OutgoingMessage[];
  /** Attachments that may not be sent. They are not part of the size. */
  readonly excluded: ReadonlySet<Attachment>;
  /** The size of the definitions of the tools, in UTF-8. */
  readonly offerBytes: number;
  readonly budget: Budget;
  /** The parts that the last request of the conversation left out: they stay left out. See Draft.lines. */
  readonly before: ReadonlyMap<string, string>;
  /** Whether whole turns may be left out. */
  readonly mayLeaveOutTurns: boolean;
}

export type Fit =
  | {
      readonly fits: true;
      readonly messages: readonly OutgoingMessage[];
      readonly shortened: Shortened | null;
      /** The value of `before` for the next request. */
      readonly lines: ReadonlyMap<string, string>;
      /** The estimated size of the messages and the tools, in UTF-8. */
      readonly bytes: number;
      readonly tokens: number;
    }
  | {
      readonly fits: false;
      /** The tokens of a request that leaves out all that it may. */
      readonly tokens: number;
      /** Whether the request would fit if whole turns were left out. */
      readonly canLeaveOutTurns: boolean;
      /** The names of files that the user can remove so that the rest fits, the largest first; all if the rest does not fit. */
      readonly largest: readonly string[];
    };

/**
 * If parts must be left out, the request is reduced to this share of its budget. The next requests need no further
 * reduction and begin with the same text, which a service can cache. With three quarters, a conversation whose questions take
 * a tenth of the budget would change its beginning with every third request.
 */
const room = 0.5;
/** The share if the last turns before the question would have to be left out: no more of them than necessary. */
const roomInLastTurns = 0.75;
/** As a last resort, the questions of turns that are left out may take only this share of the budget word for word. */
const shareOfQuestions = 1 / 3;
/** The share of the body that is left for the messages and the tools. */
export const jsonShare = 0.95;

/**
 * Leaves parts out of a request until it fits its budget, the least important first (candidates.ts). A request that fits
 * is not changed. Pure: the same input has the same result.
 */
export function fit(input: FitInput): Fit {
  const { messages, excluded, offerBytes, budget, before, mayLeaveOutTurns } = input;
  const { perToken } = budget;
  const limits = { tokens: budget.tokens ?? Number.POSITIVE_INFINITY, json: budget.bytes * jsonShare };
  const draft = new Draft(messages, excluded, perToken);
  const tokensOf = ({ size, messageCount }: Draft): number => tokensIn(size.bytes + offerBytes, messageCount, perToken);
  const isWithin = (share: number): boolean =>
    tokensOf(draft) <= limits.tokens * share && draft.size.json + offerBytes <= limits.json * share;

  const isWithout = ({ bytes, json }: Size): boolean =>
    tokensIn(draft.size.bytes - bytes + offerBytes, draft.messageCount, perToken) <= limits.tokens &&
    draft.size.json - json + offerBytes <= limits.json;

  const whole = tokensOf(draft);
  draft.leaveOutAgain(before);
  if (!isWithin(1)) leaveOut(draft, candidates(draft, perToken), () => isWithin(room));
  const needed = tokensOf(draft);
  if (!isWithin(1)) {
    leaveOut(draft, olderTurns(draft), () => isWithin(room));
    leaveOut(draft, lastTurns(draft), () => isWithin(roomInLastTurns));
    if (!isWithin(1)) draft.cutQuestions(limits.tokens * perToken * shareOfQuestions);
    const canLeaveOutTurns = isWithin(1);
    if (!canLeaveOutTurns || !mayLeaveOutTurns) {
      return {
        fits: false,
        tokens: canLeaveOutTurns ? needed : tokensOf(draft),
        canLeaveOutTurns,
        largest: largestOf(input, canLeaveOutTurns ? () => true : isWithout),
      };
    }
  }
  const parts = draft.leftOut();
  return {
    fits: true,
    messages: draft.messages(),
    shortened: parts.length === 0 ? null : shortenedBy(parts, Math.max(0, whole - tokensOf(draft))),
    lines: draft.lines(),
    bytes: draft.size.bytes + offerBytes,
    tokens: tokensOf(draft),
  };
}

function leaveOut(draft: Draft, steps: Iterable<Step>, isEnough: () => boolean): void {
  for (const step of steps) {
    if (isEnough()) return;
    if ('turn' in step) draft.leaveOutTurn(step.turn);
    else draft.leaveOut(step.item, step.line);
  }
}

/** The names of the largest attachments. `isEnough` returns whether the request fits without so much. */
function largestOf({ messages, excluded }: FitInput, isEnough: (removed: Size) => boolean): readonly string[] {
  const last = messages.findLast(({ role, place }) => role === 'user' && place !== undefined);
  const always = [...(messages[0]?.lead ?? []), ...(last?.parts ?? [])];
  const files = always.filter((part) => typeof part !== 'string').filter((file) => !excluded.has(file));
  // A repetition of the same text is only a line.
  const different = files.filter(
    (file, index) => !files.slice(0, index).some((one) => one.uri === file.uri && isSameFile(one, file)),
  );
  const named: string[] = [];
  let removed = nothing;
  for (const file of different.sort((a, b) => bytesOfPart(b) - bytesOfPart(a))) {
    if (isEnough(removed)) break;
    named.push(file.label);
    removed = sum(removed, sizeOf(file));
  }
  return named;
}
