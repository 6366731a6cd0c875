import { type Content, sliceOf } from '../../../gate/content.ts';
import { numbered } from '../../../gate/numbered.ts';
import type { Framework } from '../../../policy/compliance/compliance.ts';
import { settings } from '../../../policy/settings.ts';
import { changesQuestion, filesQuestion, reviewInstructions, reviewQuestion } from '../../../review/prompt.ts';
import type { NotReviewed } from '../../../review/report.ts';
import { type FilePart, maxPart, splitFile, splitPart } from '../../../review/split.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import type { Outgoing } from '../../../send/outgoing.ts';
import { append } from '../../../util/append.ts';
import { type LineRange, touches } from '../../../util/text/span.ts';

/** A file to review, with its current content. */
export interface ReviewTarget {
  readonly name: string;
  readonly uri: string;
  readonly languageId: string;
  readonly content: Content;
  /** The lines to which the review is restricted, or undefined if all lines matter. */
  readonly changes?: {
    /** The diff, or null for a file that changed as a whole. */
    readonly diff: Content | null;
    readonly lines: readonly LineRange[];
  };
}

/** A file of a request, or a part of it. */
export interface PlannedPart {
  readonly target: ReviewTarget;
  readonly part: FilePart;
  readonly isWhole: boolean;
  /** The name of the part, such as `src/pay.ts` or `src/pay.ts:801-1600`. */
  readonly label: string;
  /** The maximum number of characters of its changes that are sent, because a long diff adds nothing to the file. */
  readonly diffLimit: number;
}

/** One request: a part of a file, or several small files. */
export interface PlannedRequest {
  readonly parts: readonly PlannedPart[];
}

export interface Plan {
  readonly targets: readonly ReviewTarget[];
  readonly requests: readonly PlannedRequest[];
  /** The parts that are already known to be left out. */
  readonly gaps: readonly NotReviewed[];
}

export interface Estimate {
  readonly files: number;
  /** The size of the files alone in bytes of UTF-8. */
  readonly bytes: number;
  /**
   * The estimated number of tokens of the requests with their instructions, at four characters per token. Answers are
   * not included.
   */
  readonly tokens: number;
  readonly requests: number;
}

/** The maximum number of files that share a request, because a model finds fewer problems in each if there are more. */
const maxFilesOfRequest = 10;
/** The maximum number of characters of the files that share a request. */
const maxShared = maxPart / 2;
/** The minimum size of a part in characters. Smaller parts are not made. */
const minPart = 400;

interface PlanLimits {
  /** The maximum number of characters of files that fit in a request. */
  readonly room?: number | undefined;
  /**
   * The maximum number of parallel requests. Up to this number, each has as few files as possible, so that it is
   * answered sooner.
   */
  readonly parallel?: number;
}

/**
 * Splits large files into parts, and puts small ones together. If only changes of a file matter, only the parts with
 * changes are planned.
 */
export function planReview(
  targets: readonly ReviewTarget[],
  gaps: readonly NotReviewed[] = [],
  { room = Number.POSITIVE_INFINITY, parallel = settings['svc.review.parallel'].default }: PlanLimits = {},
): Plan {
  const found: NotReviewed[] = [...gaps];
  const planned = targets.flatMap((target) => {
    const { parts, cutLines } = splitFile(target.content.text);
    for (const line of cutLines) found.push(cutLine(target, line));
    const isWhole = parts.length === 1;
    return parts
      .filter(({ firstLine, lastLine }) => isWhole || isWanted(target, firstLine, lastLine))
      .flatMap((part) => fitting(plannedPart(target, part, isWhole, room), room, found));
  });
  return { targets, requests: packed(planned, room, parallel), gaps: found };
}

/** Returns the part, or smaller ones if it does not fit. Adds what they leave out to `gaps`. */
function fitting(planned: PlannedPart, room: number, gaps: NotReviewed[]): readonly PlannedPart[] {
  const divided = sizeOf(planned) <= room ? null : smaller({ parts: [planned] }, room);
  append(gaps, divided?.gaps ?? []);
  return divided?.requests.flatMap(({ parts }) => parts) ?? [planned];
}

function plannedPart(target: ReviewTarget, part: FilePart, isWhole: boolean, room: number): PlannedPart {
  const label = isWhole ? target.name : rangeName(target.name, part);
  return { target, part, isWhole, label, diffLimit: Math.min(isWhole ? 64_000 : 16_000, Math.floor(room / 4)) };
}

/**
 * Puts small files of one workspace folder together, in order, so that each request has the settings of one folder, and
 * each name in it refers to one file.
 */
function packed(parts: readonly PlannedPart[], room: number, parallel: number): readonly PlannedRequest[] {
  const maxFiles = Math.min(maxFilesOfRequest, Math.ceil(parts.length / parallel));
  const capacity = Math.min(maxShared, room);
  const requests: { readonly parts: PlannedPart[]; readonly names: Set<string>; size: number }[] = [];
  const open = new Map<string, (typeof requests)[number]>();
  for (const part of parts) {
    const size = sizeOf(part);
    const folder = part.target.content.covers[0]?.folder ?? null;
    const mayShare = part.isWhole && folder !== null && size < capacity;
    const names = [part.label, diffName(part.target)].map((name) => name.normalize());
    const shared = mayShare ? open.get(folder) : undefined;
    const hasRoom = shared !== undefined && shared.parts.length < maxFiles && shared.size + size <= capacity;
    if (hasRoom && !names.some((name) => shared.names.has(name))) {
      shared.parts.push(part);
      shared.size += size;
      for (const name of names) shared.names.add(name);
      continue;
    }
    const request = { parts: [part], names: new Set(names), size };
    requests.push(request);
    if (mayShare) open.set(folder, request);
  }
  return requests.map(({ parts: own }) => ({ parts: own }));
}

/** The number of characters of a request that are files, with their line numbers. */
export function sizeOfRequest({ parts }: PlannedRequest): number {
  return parts.reduce((sum, part) => sum + sizeOf(part), 0);
}

/** Smaller requests for the same parts, and the lines that they leave out. */
export interface Smaller {
  readonly requests: readonly PlannedRequest[];
  readonly gaps: readonly NotReviewed[];
}

/**
 * Divides a request: several files in halves, one file into parts of at most `room` characters; returns null if it
 * cannot be smaller.
 */
export function smaller({ parts }: PlannedRequest, room: number): Smaller | null {
  const [first] = parts;
  if (first === undefined) return null;
  if (parts.length > 1) {
    const half = Math.ceil(parts.length / 2);
    return { requests: [{ parts: parts.slice(0, half) }, { parts: parts.slice(half) }], gaps: [] };
  }
  const { target, part } = first;
  const sizes = { ...first, diffLimit: Math.min(first.diffLimit, Math.floor(room / 4)) };
  const length = part.end - part.start;
  const shareOfText = length / (sizeOf(sizes) - diffSize(sizes));
  const limit = Math.min(Math.floor((room - diffSize(sizes)) * shareOfText), length - 1);
  if (limit < minPart || part.firstLine === part.lastLine) return null;
  const { parts: pieces, cutLines } = splitPart(target.content.text, part, limit);
  const wanted = pieces.filter(({ firstLine, lastLine }) => isWanted(target, firstLine, lastLine));
  const planned = (wanted.length > 0 ? wanted : pieces).map((piece) => plannedPart(target, piece, false, room));
  return {
    requests: planned.map((piece) => ({ parts: [piece] })),
    gaps: cutLines.map((line) => cutLine(target, line)),
  };
}

function cutLine({ name }: ReviewTarget, line: number): NotReviewed {
  return { file: name, reason: 'line-cut', lines: [line, line], isPartial: true };
}

function sizeOf(planned: PlannedPart): number {
  const { part } = planned;
  const numbers = (part.lastLine - part.firstLine + 1) * `${part.lastLine}| `.length;
  return part.end - part.start + numbers + diffSize(planned);
}

function diffSize({ target, diffLimit }: Pick<PlannedPart, 'target' | 'diffLimit'>): number {
  return Math.min(target.changes?.diff?.text.length ?? 0, diffLimit);
}

export function estimate(
  { targets, requests }: Plan,
  frameworks: readonly Framework[],
  language: string | null = null,
): Estimate {
  const instructions = reviewInstructions(frameworks, language).length;
  const characters = requests.reduce((sum, request) => sum + instructions + sizeOfRequest(request), 0);
  return {
    files: targets.length,
    bytes: targets.reduce((sum, { content }) => sum + Buffer.byteLength(content.text), 0),
    tokens: Math.ceil(characters / 4),
    requests: requests.length,
  };
}

/** The request as the gate receives it. In a run of many requests, secrets are masked without asking the user. */
export function outgoingFor(
  { parts }: PlannedRequest,
  frameworks: readonly Framework[],
  secrets: 'mask' | 'ask',
  language: string | null = null,
): Outgoing {
  return {
    action: 'review',
    messages: [
      { role: 'system', parts: [reviewInstructions(frameworks, language)], secrets: 'mask' },
      { role: 'user', parts: [questionFor(parts), ...parts.flatMap(attachmentsFor)], secrets },
    ],
    modelKey: 'svc.model.review',
    folders: [],
  };
}

function questionFor(parts: readonly PlannedPart[]): string {
  const [first] = parts;
  const isOfChanges = first?.target.changes !== undefined;
  if (first === undefined || parts.length > 1) return filesQuestion(parts.length, isOfChanges);
  return isOfChanges ? changesQuestion(first.label) : reviewQuestion(first.label);
}

/** The changes of a part, if only they matter, and its numbered text. */
function attachmentsFor({ target, part, label, diffLimit }: PlannedPart): readonly Attachment[] {
  const { uri, languageId, content, changes } = target;
  const folder = content.covers[0]?.folder ?? null;
  const about = { uri, languageId, folder };
  const lines = numbered(sliceOf(content, part.start, part.end), part.firstLine);
  const file: Attachment = { ...about, ...lines, label, firstLine: part.firstLine };
  if (changes?.diff == null) return [file];
  const diff = beginningOf(changes.diff, diffLimit);
  return [{ ...about, label: diffName(target), firstLine: 1, languageId: 'diff', ...diff }, file];
}

/** The name of the attachment with the changes of a file. */
export function diffName({ name }: ReviewTarget): string {
  return `${name}.diff`;
}

function isWanted({ changes }: ReviewTarget, first: number, last: number): boolean {
  return changes === undefined || touches(changes.lines, first, last);
}

function beginningOf(diff: Content, limit: number): Content {
  return diff.text.length <= limit ? diff : sliceOf(diff, 0, diff.text.lastIndexOf('\n', limit) + 1);
}

function rangeName(name: string, { firstLine, lastLine }: FilePart): string {
  return `${name}:${firstLine}-${lastLine}`;
}

/** Whether a review is one request about one file. Then the user is asked about its secrets. */
export function isOneFile({ requests }: Plan): boolean {
  return requests.length === 1 && requests[0]?.parts.length === 1;
}

/** The names that an answer may use for a part. */
export function namesOf({ label, target }: PlannedPart): readonly string[] {
  return [label, target.name];
}
