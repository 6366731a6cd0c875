import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../../platform/files/isGone.ts';
import { readBytes } from '../../../../platform/files/readBytes.ts';
import { type OwnText, ownText } from '../../../../session/tools/ownText.ts';
import {
  commandLine,
  maxTaskFile,
  type TaskCommand,
  type TaskProblem,
  type TaskSystem,
  taskIn,
} from '../../common/taskFile.ts';
import { locate, ToolRefusal } from '../own/place.ts';

/** A task that can be run, as its file defines it now. */
export interface FoundTask extends TaskCommand {
  readonly name: string;
  readonly folder: vscode.WorkspaceFolder;
  /** The command line as the user sees it. */
  readonly line: string;
  /** The path of the folder that it runs in. */
  readonly place: string;
}

const system: TaskSystem = process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'osx' : 'linux';

/** Finds the task of a name in the tasks.json files of the workspace folders. Throws a ToolRefusal if it cannot be run. */
export async function findTask(name: string): Promise<FoundTask> {
  if (!vscode.workspace.isTrusted) throw new ToolRefusal(ownText`Refused: the user does not trust this workspace.`);
  const found = await Promise.all((vscode.workspace.workspaceFolders ?? []).map((folder) => taskOf(folder, name)));
  const tasks = found.filter((one) => typeof one !== 'string');
  const [task, ...more] = tasks;
  if (more.length > 0) throw refused('several');
  if (task !== undefined) return task;
  throw refused(found.find((one) => typeof one === 'string' && one !== 'no-such-task') ?? 'no-such-task');
}

async function taskOf(folder: vscode.WorkspaceFolder, name: string): Promise<FoundTask | TaskProblem> {
  if (folder.uri.scheme !== 'file') return 'no-such-task';
  const text = await textOf(vscode.Uri.joinPath(folder.uri, '.vscode', 'tasks.json'));
  if (text === null) return 'no-such-task';
  const { fsPath } = folder.uri;
  const separator = system === 'windows' ? '\\' : '/';
  const variables = {
    workspaceFolder: fsPath,
    workspaceFolderBasename: folder.uri.path.split('/').at(-1) ?? '',
    pathSeparator: separator,
    '/': separator,
  };
  const task = taskIn(text, name, system, variables);
  if (typeof task === 'string') return task;
  return { ...task, name, folder, line: commandLine(task, system), place: resolve(fsPath, task.cwd ?? '') };
}

/** Returns the text of a tasks.json file, or null if there is none. Throws a ToolRefusal if it may not be read. */
async function textOf(file: vscode.Uri): Promise<string | null> {
  if (!(await exists(file))) return null;
  await locate(file.path);
  // The largest file with an allowed length has three bytes a character.
  const bytes = await readBytes(file, 3 * maxTaskFile).catch(() => {
    throw refused('broken');
  });
  if (bytes === null) throw refused('too-large');
  return new TextDecoder().decode(bytes);
}

const reasons: Readonly<Record<TaskProblem, OwnText>> = {
  'too-large': ownText`tasks.json is too large.`,
  broken: ownText`tasks.json is not valid.`,
  'for-all-tasks': ownText`tasks.json has settings for all tasks, which this tool does not support.`,
  'no-such-task': ownText`there is no task with this label in .vscode/tasks.json.`,
  several: ownText`several tasks have this label.`,
  'wrong-type': ownText`only tasks of the types shell and process can be run.`,
  depends: ownText`the task has dependsOn. Run the other tasks by their own labels.`,
  background: ownText`the task runs in the background.`,
  'own-shell': ownText`the task has a shell of its own.`,
  misfit: ownText`the task has fields that this tool does not support: command, args, cwd and env must be texts.`,
  variable: ownText`the task has a variable other than workspaceFolder, workspaceFolderBasename and pathSeparator.`,
  hidden: ownText`the task has hidden characters.`,
  'too-long': ownText`the task is too long, or has too many blanks, to be shown in a question.`,
};

function refused(problem: TaskProblem): ToolRefusal {
  return new ToolRefusal(ownText`Refused: ${reasons[problem]}`);
}
