import { ServiceError } from '../../util/errors.ts';
import type { SettingKey } from '../settings.ts';

export interface SettingsTextProblem {
  readonly reason:
    | 'syntax'
    | 'merge-conflict'
    | 'not-an-object'
    /** The same setting twice, or one within the other. */
    | 'duplicate'
    /** A name with dots within an object, which VS Code does not take apart. */
    | 'dotted'
    /** For a language, where the setting cannot be set for one. */
    | 'per-language'
    /** In a workspace file, beside its settings. */
    | 'outside-settings'
    | 'too-large'
    /** It is JSON, and VS Code has something else. */
    | 'not-taken'
    | 'unreadable';
  /** Counted from 1. */
  readonly line: number;
  /** The setting it is about, where it is one. */
  readonly key?: string;
  /** What the parser, or the file system, calls it. */
  readonly detail?: string;
}

/** What a settings file asks for, of the settings that only tighten, with the line. */
export interface AskedInFile {
  readonly key: SettingKey;
  readonly value: unknown;
  readonly line: number;
}

/** A settings file as it is read here. */
export interface SettingsText {
  readonly problem: SettingsTextProblem | null;
  readonly asked: readonly AskedInFile[];
}

/** A settings file that VS Code does not read whole: what it leaves out may ask for more. */
export interface SettingsFileProblem extends SettingsTextProblem {
  /** As VS Code names it: a path in the workspace, or the whole of it. */
  readonly file: string;
}

/** `unread`: nobody has looked yet. */
export type SettingsFilesState = 'unread' | readonly SettingsFileProblem[];

/** Throws a ServiceError where a settings file is not read whole, or not looked at. */
export function requireWhole(state: SettingsFilesState): void {
  const [problem] = state === 'unread' ? [unread] : state;
  if (problem === undefined) return;
  throw new ServiceError('policy', 'A settings file is not read whole.', {
    code: 'settings-file',
    file: problem.file,
    reason: problem.reason,
    cause: problem,
  });
}

const unread: SettingsFileProblem = { file: '.vscode/settings.json', reason: 'unreadable', line: 1 };
