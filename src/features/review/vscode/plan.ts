import { type Content, sliceOf } from '../../../gate/content.ts';
import { numbered } from '../../../gate/numbered.ts';
import type { Framework } from '../../../policy/compliance/compliance.ts';
import { changesQuestion, reviewInstructions, reviewQuestion } from '../../../review/prompt.ts';
import type { NotReviewed } from '../../../review/report.ts';
import { type FilePart, splitFile } from '../../../review/split.ts';
import type { Attachment } from '../../../session/conversation/attachment.ts';
import type { Outgoing } from '../../../session/dispatch/outgoing.ts';
import { type LineRange, touches } from '../../../util/text/span.ts';

/** A file to review, with its current content. */
export interface ReviewTarget {
  readonly name: string;
  readonly uri: string;
  readonly languageId: string;
  readonly content: Content;
  /** Restricts the review to these lines; absent if all lines matter. */
  readonly changes?: {
    /** null for a file that changed as a whole. */
    readonly diff: Content | null;
    readonly lines: readonly LineRange[];
  };
}

/** One request: a file, or a part of it. */
export interface PlannedRequest {
  readonly target: ReviewTarget;
  readonly part: FilePart;
  readonly isWhole: boolean;
  /** `src/pay.ts`, or `src/pay.ts:801-1600`. */
  readonly label: string;
}

export interface Plan {
  readonly targets: readonly ReviewTarget[];
  readonly requests: readonly PlannedRequest[];
  /** What is already known to be left out. */
  readonly gaps: readonly NotReviewed[];
}

export interface Estimate {
  readonly files: number;
  /** UTF-8 bytes of the files only. */
  readonly bytes: number;
  /** Estimated at four characters per token, for the request with its instructions. Answers are not included. */
  readonly tokens: number;
  readonly requests: number;
}

/** Splits large files into parts. If only changes of a file matter, only the parts with changes are planned. */
export function planReview(targets: readonly ReviewTarget[], gaps: readonly NotReviewed[] = []): Plan {
  const found: NotReviewed[] = [...gaps];
  const requests = targets.flatMap((target) => {
    const { parts, cutLines } = splitFile(target.content.text);
    for (const line of cutLines) {
      found.push({ file: target.name, reason: 'line-cut', lines: [line, line], isPartial: true });
    }
    const isWhole = parts.length === 1;
    return parts
      .filter(({ firstLine, lastLine }) => isWhole || isWanted(target, firstLine, lastLine))
      .map((part) => ({ target, part, isWhole, label: isWhole ? target.name : rangeName(target.name, part) }));
  });
  return { targets, requests, gaps: found };
}

export function estimate(
  { targets, requests }: Plan,
  frameworks: readonly Framework[],
  language: string | null = null,
): Estimate {
  const instructions = reviewInstructions(frameworks, language).length;
  const characters = requests.reduce((sum, { part, target }) => {
    const numbers = (part.lastLine - part.firstLine + 1) * `${part.lastLine}| `.length;
    return sum + instructions + part.end - part.start + numbers + (target.changes?.diff?.text.length ?? 0);
  }, 0);
  return {
    files: targets.length,
    bytes: targets.reduce((sum, { content }) => sum + Buffer.byteLength(content.text), 0),
    tokens: Math.ceil(characters / 4),
    requests: requests.length,
  };
}

/**
 * The request as the gate receives it. In a run of many requests the user is not asked about secrets: they are masked.
 */
export function outgoingFor(
  { target, part, isWhole, label }: PlannedRequest,
  frameworks: readonly Framework[],
  secrets: 'mask' | 'ask',
  language: string | null = null,
): Outgoing {
  const { uri, languageId, content, changes } = target;
  const folder = content.covers[0]?.folder ?? null;
  const about = { uri, languageId, folder };
  const lines = numbered(sliceOf(content, part.start, part.end), part.firstLine);
  const file: Attachment = { ...about, ...lines, label, firstLine: part.firstLine };
  const diff: readonly Attachment[] =
    changes?.diff == null
      ? []
      : [
          {
            ...about,
            label: `${target.name}.diff`,
            firstLine: 1,
            languageId: 'diff',
            ...withinPart(changes.diff, isWhole),
          },
        ];
  const question = changes === undefined ? reviewQuestion(label) : changesQuestion(label);
  return {
    action: 'review',
    messages: [
      { role: 'system', parts: [reviewInstructions(frameworks, language)], secrets: 'mask' },
      { role: 'user', parts: [question, ...diff, file], secrets },
    ],
    modelKey: 'svc.model.review',
    folders: [],
  };
}

function isWanted({ changes }: ReviewTarget, first: number, last: number): boolean {
  return changes === undefined || touches(changes.lines, first, last);
}

/** A long diff adds nothing to the file. With a part of a file, only the start of the diff is sent. */
function withinPart(diff: Content, isWhole: boolean): Content {
  const limit = isWhole ? 64_000 : 16_000;
  return diff.text.length <= limit ? diff : sliceOf(diff, 0, diff.text.lastIndexOf('\n', limit) + 1);
}

function rangeName(name: string, { firstLine, lastLine }: FilePart): string {
  return `${name}:${firstLine}-${lastLine}`;
}
