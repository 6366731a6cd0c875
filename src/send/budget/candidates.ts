import { type Attachment, isNameless } from '../message/attachment.ts';
import type { Draft, Item, Step } from './draft.ts';
import { attachmentLeftOut, resultLeftOut } from './leftOut.ts';

/** The number of the newest turns before the question that keep the results of their tools. */
const turnsWithResults = 2;
/** The number of the newest results of this turn that are kept, as long as their total is within `newestResultTokens`. */
const newestResults = 8;
const newestResultTokens = 24_000;

/** The parts that can be left out without asking the user, the least important first; of these, the oldest first. */
export function* candidates(draft: Draft, perToken: number): Iterable<Step> {
  const { items, turns } = draft;
  const now = turns.at(-1);
  const attachments = items.filter(({ kind, turn }) => kind === 'attachment' && turn !== now);
  const results = items.filter(({ kind }) => kind === 'result');
  const recent = turns.slice(-1 - turnsWithResults);
  // Attachments that a newer text replaces, unless it is sent as its changes to them.
  for (const item of replaced(items)) {
    const isOfChanges = draft.isChanges(item) || draft.turnsWithChangesTo(item).length > 0;
    if (item.turn !== now && !isOfChanges) yield stepFor(item, true);
  }
  // Results of earlier turns, then results of this turn.
  for (const item of results) if (!recent.includes(item.turn)) yield stepFor(item);
  for (const item of olderOf(
    results.filter(({ turn }) => turn === now),
    perToken,
  ))
    yield stepFor(item);
  // Attachments of earlier turns, except those that are already sent only as a line. If one is left out to
  // which later changes refer, the whole file is sent instead of the changes.
  const kept = turns.slice(-2);
  for (const item of attachments) {
    const isNeeded = kept.includes(item.turn) || draft.turnsWithChangesTo(item).some((turn) => kept.includes(turn));
    if (!isNeeded && draft.bytesOf(item) > 0) yield stepFor(item);
  }
}

/** Whole turns, which are left out only if the user agrees, or in the middle of a turn. */
export function* olderTurns({ turns }: Draft): Iterable<Step> {
  for (const turn of turns.slice(0, -1 - turnsWithResults)) yield { turn };
}

/**
 * The parts that are left out last. Otherwise, a conversation with large last turns could not continue. The newest result
 * always stays.
 */
export function* lastTurns({ items, turns }: Draft): Iterable<Step> {
  const now = turns.at(-1);
  const before = turns.slice(0, -1);
  const newest = items.findLast(({ kind, turn }) => kind === 'result' && turn === now);
  for (const item of items) {
    const isOfQuestion = item.turn === now && item.kind === 'attachment';
    if (!isOfQuestion && item !== newest) yield stepFor(item);
  }
  for (const turn of before.slice(-turnsWithResults)) yield { turn };
}

function stepFor(item: Item, isReplaced = false): Step {
  const { kind, label, bytes } = item;
  return { item, line: kind === 'result' ? resultLeftOut(label, bytes) : attachmentLeftOut(label, bytes, isReplaced) };
}

/** The results before the newest ones. */
function olderOf(results: readonly Item[], perToken: number): readonly Item[] {
  let tokens = 0;
  let kept = 0;
  for (const { bytes } of [...results].reverse()) {
    tokens += bytes / perToken;
    if (kept >= newestResults || (kept > 0 && tokens > newestResultTokens)) break;
    kept += 1;
  }
  return results.slice(0, results.length - kept);
}

/** A file also names its problems, and a repository all of its diffs: the label tells them apart, without its lines. */
function nameOf({ uri, label }: Attachment): string {
  return `${uri}\n${label.replace(/:\d+(?:-\d+)?$/, '')}`;
}

/** Attachments that a later one replaces with a different text of the same lines. */
function replaced(items: readonly Item[]): readonly Item[] {
  const later = new Map<string, Attachment[]>();
  const found: Item[] = [];
  for (const item of [...items].reverse()) {
    if (item.file === undefined || isNameless(item.file)) continue;
    const name = nameOf(item.file);
    const newer = later.get(name) ?? [];
    if (newer.some((one) => isNewerText(one, item.file))) found.push(item);
    // A repetition of the same text is ignored, because it is sent only once.
    if (!newer.some((one) => one.text === item.file?.text && one.firstLine === item.file.firstLine))
      newer.push(item.file);
    later.set(name, newer);
  }
  return found.reverse();
}

function isNewerText(newer: Attachment, older: Attachment | undefined): boolean {
  if (older === undefined || (newer.text === older.text && newer.firstLine === older.firstLine)) return false;
  return newer.firstLine <= lastLine(older) && older.firstLine <= lastLine(newer);
}

const lastLines = new WeakMap<Attachment, number>();

function lastLine(file: Attachment): number {
  const known = lastLines.get(file);
  if (known !== undefined) return known;
  let lines = 0;
  for (let at = file.text.indexOf('\n'); at >= 0; at = file.text.indexOf('\n', at + 1)) lines += 1;
  lastLines.set(file, file.firstLine + lines);
  return file.firstLine + lines;
}
