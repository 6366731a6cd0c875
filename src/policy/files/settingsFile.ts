import { type FilesInTheWay, ServiceError } from '../../util/errors.ts';
import type { SettingKey } from '../settings.ts';

export interface SettingsTextProblem {
  readonly reason:
    | 'syntax'
    | 'merge-conflict'
    | 'not-an-object'
    /** The same setting twice, or one within another. */
    | 'duplicate'
    /** A name with dots inside an object, which VS Code does not split. */
    | 'dotted'
    /** Set for a language, although the setting does not support that. */
    | 'per-language'
    /** In a workspace file, outside of its settings. */
    | 'outside-settings'
    | 'too-large'
    /** Valid JSON, but VS Code reports a different value. */
    | 'not-taken'
    | 'unreadable';
  /** Counted from 1. */
  readonly line: number;
  /** The affected setting, if there is one. */
  readonly key?: string;
  /** The error name of the parser or the file system. */
  readonly detail?: string;
}

/** The values in a settings file of those settings that only tighten, with their lines. */
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
  /** As VS Code names it: a path in the workspace, or the whole path. */
  readonly file: string;
}

/** A settings file is not read completely. */
export class SettingsFileError extends ServiceError<'policy'> {
  readonly problem: SettingsFileProblem;

  /** Without the files in `inTheWay`, the file would not matter. */
  constructor(problem: SettingsFileProblem, inTheWay: FilesInTheWay = {}) {
    const { file, reason } = problem;
    super('policy', `A settings file is not read whole (${reason}).`, {
      code: 'settings-file',
      file,
      details: inTheWay,
    });
    this.problem = problem;
  }
}

/** `unread`: not read yet. */
export type SettingsFilesState = 'unread' | readonly SettingsFileProblem[];

/** Throws a ServiceError if a settings file is not read completely, or not read yet. */
export function requireWhole(state: SettingsFilesState, inTheWay?: FilesInTheWay): void {
  const [problem] = state === 'unread' ? [unread] : state;
  if (problem !== undefined) throw new SettingsFileError(problem, inTheWay);
}

const unread: SettingsFileProblem = { file: '.vscode/settings.json', reason: 'unreadable', line: 1 };
