import type { Kind, Task } from './task.ts';
import { componentTasks } from './tasks/components.ts';
import { errs } from './tasks/errs.ts';
import { hostile } from './tasks/hostile.ts';
import { libraryTasks } from './tasks/library.ts';
import { inTwoFolders, works } from './tasks/works.ts';

interface KindOfTask {
  readonly kind: Kind;
  readonly task: Task;
}

/** The tasks of a window: those of two folders need a workspace of their own. */
export function tasksOf(
  part: string,
  { library = {}, components = {} }: Readonly<Record<string, Readonly<Record<string, string>>>>,
): readonly KindOfTask[] {
  const of = (kind: Kind, tasks: readonly Task[]): readonly KindOfTask[] => tasks.map((task) => ({ kind, task }));
  if (part === 'folders') return of('works', inTwoFolders);
  return [
    ...of('works', works),
    ...of('errs', errs),
    ...of('hostile', hostile),
    ...of('library', libraryTasks(library)),
    ...of('components', componentTasks(components)),
  ];
}
