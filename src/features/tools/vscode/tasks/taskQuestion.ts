import * as vscode from 'vscode';
import { escapeHidden } from '../../../../platform/messages/foreignText.ts';
import type { FoundTask } from './findTask.ts';

const t = vscode.l10n.t;

/** Returns what runs, one fact a line. The lines of two tasks are the same if the same is run. */
function linesOf({ line, type, place, env }: FoundTask): readonly string[] {
  return [
    ...line.split('\n'),
    type === 'shell' ? t('Run by the shell in {0}', place) : t('Run without a shell in {0}', place),
    ...Object.entries(env).map(([name, value]) =>
      t('Variable {0}={1}', name, /[\s\\"]/.test(value) ? JSON.stringify(value) : value),
    ),
  ].map(escapeHidden);
}

export function isSameTask(one: FoundTask, other: FoundTask): boolean {
  const all = ({ line, type, place, env, args, command }: FoundTask): string =>
    JSON.stringify([line, type, place, Object.entries(env), args, command]);
  return all(one) === all(other);
}

/**
 * Describes a task to the user, who decides whether it is run: the exact command line, what has changed since they allowed the task
 * before, and the accepted files that can run code. `again` is the number of accepts of files that were already named.
 */
export function taskQuestion(
  task: FoundTask,
  before: FoundTask | undefined,
  { written, again }: { readonly written: readonly string[]; readonly again: number },
): string {
  const lines = linesOf(task);
  const old = before === undefined || isSameTask(before, task) ? null : linesOf(before);
  const files = written.map((path) => escapeHidden(path)).join(', ');
  return [
    ...lines,
    ...(old === null
      ? []
      : [
          '',
          t('This task has changed since you allowed it:'),
          ...old.filter((line) => !lines.includes(line)).map((line) => `- ${line}`),
          ...lines.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
        ]),
    ...(files === '' ? [] : ['', t('Accepted changes that can run in a build: {0}', files)]),
    ...(again === 0 ? [] : [t('Such changes that you accepted since you were first asked: {0}', again)]),
  ].join('\n');
}
