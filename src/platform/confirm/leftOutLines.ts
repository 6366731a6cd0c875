import * as vscode from 'vscode';
import type { LeftOut } from '../../send/budget/leftOut.ts';
import type { LeftOutContent } from '../../send/excludedContent.ts';
import { describeBytes, describeNumber } from '../messages/describeNumber.ts';

const t = vscode.l10n.t;

/** Returns one line for each passage of an excluded file: its length, the file, and the content in which it was found. */
export function excludedLines(leftOut: readonly LeftOutContent[]): readonly string[] {
  const lines = leftOut.map(({ files, lines, where }) => {
    const what = passageWords(lines, files.join(', '));
    return where === null ? what : t('{0}, in {1}', what, where);
  });
  return [...new Set(lines)];
}

function passageWords(lines: number | null, files: string): string {
  if (lines === null) return t('a value from {0}', files);
  return lines === 1 ? t('1 line from {0}', files) : t('{0} lines from {1}', describeNumber(lines), files);
}

/** Returns one line for each part: its name, its size, and the question that it belongs to. */
export function leftOutLines(parts: readonly LeftOut[]): readonly string[] {
  return parts.map(({ kind, label, bytes, question }) => {
    const name = kind === 'turn' ? t('answer and attachments') : kind === 'result' ? t('result of {0}', label) : label;
    return `${name}, ${describeBytes(bytes)} – ${question.replaceAll(/\s+/g, ' ').trim()}`;
  });
}
