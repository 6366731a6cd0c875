import type { Attachment } from '../../send/message/attachment.ts';
import type { Turn } from './turn.ts';

/** Returns the labels of those attachments whose files do not have this text anymore. */
export type OutdatedSource = (attached: readonly Attachment[]) => Promise<readonly string[]>;

/** A turn that is about to be sent, with what is out of date above it. */
export async function withOutdated(turn: Turn, before: readonly Turn[], source: OutdatedSource): Promise<Turn> {
  const files = earlierFiles(turn, before);
  const outdated = files.length === 0 ? [] : await source(files);
  return outdated.length === 0 ? turn : { ...turn, question: { ...turn.question, outdated } };
}

/**
 * What earlier questions attached of files, as far as the request for `turn` has it and nothing newer: of each file, the
 * last text, unless a tool read the file since, or a later question said that it has changed.
 */
function earlierFiles(turn: Turn, before: readonly Turn[]): readonly Attachment[] {
  const last = new Map<string, readonly Attachment[]>();
  for (const { question, answer } of sent(before)) {
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

/** The turns that are in the request: those before a summary are not, nor are those without an answer. */
function sent(before: readonly Turn[]): readonly Turn[] {
  const summary = before.findLastIndex((turn) => turn.summary !== undefined);
  return before.slice(summary + 1).filter(({ answer }) => answer.text !== '');
}
