import * as vscode from 'vscode';
import { escapeHidden } from '../../../platform/messages/foreignText.ts';
import type { ToolStep } from '../../../session/tools/toolStep.ts';
import { isField, isToolName, type ToolInput, type ToolName, toolInputs } from './definitions.ts';

const t = vscode.l10n.t;

/** The maximum length of a path or a text within the words. */
const maxPart = 200;

interface CallWords {
  /** What the call does, to follow "Svc wants to": `read src/a.ts`. */
  readonly words: string;
  /** The words contain the whole input. Otherwise the user has to see the input before deciding. */
  readonly areComplete: boolean;
}

/** A tool call in words. The model chooses the input: it is cut, and characters that could mislead are escaped. */
export function callWords({ name, input }: Pick<ToolStep, 'name' | 'input'>): CallWords {
  const own = isToolName(name) ? ownWords(name, input) : null;
  if (own === null) return { words: t('use the tool {0}', shown(name)), areComplete: false };
  // The tool ignores what it does not know, but the user sees it.
  const areComplete = Object.entries(input).every(
    ([key, value]) => isField(name, key) && (typeof value !== 'string' || value.length <= maxPart),
  );
  return { words: own, areComplete };
}

/** null if the tool does not take the input. */
function ownWords(name: ToolName, input: unknown): string | null {
  const parsed = toolInputs[name].safeParse(input);
  if (!parsed.success) return null;
  switch (name) {
    case 'read_file':
      return readWords(parsed.data as ToolInput<'read_file'>);
    case 'list_files': {
      const { path = '' } = parsed.data as ToolInput<'list_files'>;
      return path === '' ? t('list the files of the workspace') : t('list the files in {0}', shown(path));
    }
    case 'search_text': {
      const { query, files } = parsed.data as ToolInput<'search_text'>;
      return files === undefined
        ? t('search the workspace for “{0}”', shown(query))
        : t('search {1} for “{0}”', shown(query), shown(files));
    }
    case 'find_symbols':
      return t('find symbols named “{0}”', shown((parsed.data as ToolInput<'find_symbols'>).query));
    case 'get_problems': {
      const { path } = parsed.data as ToolInput<'get_problems'>;
      return path === undefined ? t('read all problems') : t('read the problems in {0}', shown(path));
    }
    case 'git_diff':
      return (parsed.data as ToolInput<'git_diff'>).staged === true
        ? t('read the staged Git changes')
        : t('read the Git changes since the last commit');
  }
}

function readWords({ path, firstLine, lastLine }: ToolInput<'read_file'>): string {
  if (firstLine !== undefined && lastLine !== undefined)
    return t('read lines {0} to {1} of {2}', firstLine, lastLine, shown(path));
  if (firstLine !== undefined) return t('read {1} from line {0}', firstLine, shown(path));
  if (lastLine !== undefined) return t('read {1} up to line {0}', lastLine, shown(path));
  return t('read {0}', shown(path));
}

function shown(text: string): string {
  return escapeHidden(text.length > maxPart ? `${text.slice(0, maxPart)}…` : text).replaceAll('\n', '\\n');
}
