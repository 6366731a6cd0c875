import * as vscode from 'vscode';
import { defineTool, shown, text, words } from './tool.ts';

const t = vscode.l10n.t;

export const runTask = defineTool({
  name: 'run_task',
  description:
    'Runs a task of .vscode/tasks.json, such as the tests, after the user has allowed it, and returns its exit code and the end of its output. It runs on the files as they are written, without what is only proposed.',
  fields: { name: text(words, 'The label of the task in .vscode/tasks.json.') },
  title: () => t('Run tasks'),
  does: () => t('Runs a task of .vscode/tasks.json in a terminal. You are asked about each run.'),
  words: ({ name }) => t('run the task {0}', shown(name)),
  asks: ({ name }, tasks) => tasks.question(name),
  run: (_, signal, __, tasks) => tasks.run(signal),
});
