import { type BlockingFiles, ServiceError } from '../../util/errors.ts';
import type { SettingKey } from '../settings.ts';

export interface SettingsTextProblem {
  readonly reason:
    | 'syntax'
    | 'merge-conflict'
    | 'not-an-object'
    /** The file has the same setting twice, or a setting within another one. */
    | 'duplicate'
    /** A name inside an object has dots, which VS Code does not split. */
    | 'dotted'
    /** A setting is set for a language, although it does not support that. */
    | 'per-language'
    /** A setting is in a workspace file, but outside of its settings. */
    | 'outside-settings'
    | 'too-large'
    /** The file is valid JSON, but VS Code reports a different value. */
    | 'not-taken'
    | 'unreadable';
  /** The line of the problem, counted from 1. */
  readonly line: number;
  /** The affected setting, if there is one. */
  readonly key?: string;
  /** The error name of the parser or the file system. */
  readonly detail?: string;
}

/** A value in a settings file of a setting that only tightens, with its line. */
export interface AskedInFile {
  readonly key: SettingKey;
  readonly value: unknown;
  readonly line: number;
}

/** The result of reading a settings file. */
export interface SettingsText {
  readonly problem: SettingsTextProblem | null;
  readonly asked: readonly AskedInFile[];
}

/** A settings file that VS Code does not read completely: the omitted part may ask for more. */
export interface SettingsFileProblem extends SettingsTextProblem {
  /** The name of the file in VS Code: a path in the workspace, or the whole path. */
  readonly file: string;
}

/** The error for a settings file that is not read completely. */
export class SettingsFileError extends ServiceError<'policy'> {
  readonly problem: SettingsFileProblem;

  /** `blockingFiles` has the files without which this settings file would not matter. */
  constructor(problem: SettingsFileProblem, blockingFiles: BlockingFiles = {}) {
    const { file, reason } = problem;
    super('policy', `A settings file is not read whole (${reason}).`, {
      code: 'settings-file',
      file,
      details: blockingFiles,
    });
    this.problem = problem;
  }
}

/** The problems of all settings files; `unread` if they are not read yet. */
export type SettingsFilesState = 'unread' | readonly SettingsFileProblem[];

/** Throws a ServiceError if a settings file is not read completely, or not read yet. */
export function requireWhole(state: SettingsFilesState, blockingFiles?: BlockingFiles): void {
  const [problem] = state === 'unread' ? [unread] : state;
  if (problem !== undefined) throw new SettingsFileError(problem, blockingFiles);
}

const unread: SettingsFileProblem = { file: '.vscode/settings.json', reason: 'unreadable', line: 1 };
