import type { TasksOfCall } from '../../src/features/tools/vscode/own/tool.ts';

const never = async (): Promise<never> => {
  throw new Error('No task is run here.');
};

/** The tasks of a call of a tool that runs none. */
export const noTasks: TasksOfCall = { question: never, run: never };
