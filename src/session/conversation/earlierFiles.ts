import type { Attachment } from '../../send/message/attachment.ts';
import { hasAnswer, type Turn } from './turn.ts';

/** Returns the labels of the attachments whose files no longer contain the attached text. */
export type OutdatedSource = (attached: readonly Attachment[]) => Promise<readonly string[]>;

/** Adds to a turn that is about to be sent the labels of earlier attachments that are outdated. */
export async function withOutdated(turn: Turn, before: readonly Turn[], source: OutdatedSource): Promise<Turn> {
  const files = earlierFiles(turn, before);
  const outdated = files.length === 0 ? [] : await source(files);
  return outdated.length === 0 ? turn : { ...turn, question: { ...turn.question, outdated } };
}

/**
 * The file attachments of earlier questions that are in the request for `turn` and have no newer version in it: for each
 * file, the last text, unless a tool has read the file since or a later question reported a change.
 */
function earlierFiles(turn: Turn, before: readonly Turn[]): readonly Attachment[] {
  const last = new Map<string, readonly Attachment[]>();
  for (const { question, answer } of turnsInRequest(before)) {
    const { attachments, outdated } = question;
    for (const [uri, files] of Map.groupBy(attachments, (file) => file.uri)) last.set(uri, files);
    for (const { output } of answer.steps) for (const { uri } of output?.attachments ?? []) last.delete(uri);
    for (const [uri, files] of last) {
      const rest = files.filter(({ label }) => !outdated.includes(label));
      if (!attachments.some((file) => file.uri === uri)) last.set(uri, rest);
    }
  }
  for (const { uri } of turn.question.attachments) last.delete(uri);
  return [...last.values()].flat();
}

/** The turns that are in the request: not those that a summary replaces, and not those without an answer. */
function turnsInRequest(before: readonly Turn[]): readonly Turn[] {
  const summary = before.findLastIndex((turn) => turn.summary !== undefined);
  return before.slice(summary + 1).filter(hasAnswer);
}
