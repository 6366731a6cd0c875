/** The ways to ask for code. */
export const ways = [
  'edit',
  'edit-several',
  'fix',
  'fix-finding',
  'document',
  'tests-new',
  'tests-existing',
  'generate',
  'apply-known',
  'apply-unnamed',
  'apply-new',
  'inline',
  'commit',
  'terminal',
] as const;
export type Way = (typeof ways)[number];

export const languages = ['typescript', 'tsx', 'python', 'java', 'go', 'csharp', 'sql', 'yaml'] as const;
export type Language = (typeof languages)[number];

/** Lines that replace others: from `start` to before `end`, zero-based. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Files that the workspace has: some of a package of the npm registry, or those of a folder of the corpus. */
export interface Project {
  readonly name: string;
  readonly package?: { readonly name: string; readonly version: string; readonly sha256: string };
  /** Of a package: its files, by their path in the workspace. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Where code is asked for. Lines are zero-based. */
export interface Place {
  readonly id: string;
  readonly way: Way;
  readonly language: Language;
  readonly project: string;
  /** The file that is changed, in the workspace. Of `tests-new` and `apply-new`: the file that is asked about. */
  readonly file: string;
  /** What differs from the project's file before the request. */
  readonly changes?: readonly Replacement[];
  /** The selections: whole lines, from the first to before the second. None means the whole file. */
  readonly selections?: readonly (readonly [start: number, end: number])[];
  /** Where the code is asked for, with `generate` and `inline`. */
  readonly cursor?: { readonly line: number; readonly character: number };
  /** The words of the user. */
  readonly ask?: string;
  /** A slash command of the panel. */
  readonly slash?: 'generate' | 'fix' | 'tests' | 'docs' | 'explain';
  /** The files that the question has with it, besides `file`. */
  readonly attached?: readonly string[];
  /** Whether `file` itself is with the question. */
  readonly isAttached?: boolean;
  readonly problems?: readonly { readonly line: number; readonly message: string }[];
  /** What a finding of a review says about its fix. */
  readonly how?: string;
  /** The first lines of the earlier commit messages, newest first. */
  readonly log?: readonly string[];
  /** The output that is explained. */
  readonly output?: string;
  /** The file that is written, where that is another one. */
  readonly creates?: string;
}

export interface Answer {
  readonly id: number;
  readonly place: string;
  /** Who wrote it: styles differ. */
  readonly hand: number;
  readonly answer: string;
  /** The answer to the further request that the extension makes where the first one has no clear place. */
  readonly second?: string;
  /**
   * The result that is meant: what it changes in the file before, or a whole text, where that is no file or is a new one.
   */
  readonly meant: string | readonly Replacement[];
}

/** A text with some of its lines replaced. The replacements are in order and do not overlap. */
export function replaced(text: string, replacements: readonly Replacement[]): string {
  const lines = text.split('\n');
  for (const { start, end, lines: instead } of [...replacements].reverse())
    lines.splice(start, end - start, ...instead);
  return lines.join('\n');
}
