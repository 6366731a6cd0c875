import * as vscode from 'vscode';
import type { ToolStep } from '../../../session/tools/toolStep.ts';
import { ownTools } from './own/ownTools.ts';
import { maxPart, shown } from './own/tool.ts';

const t = vscode.l10n.t;

interface CallWords {
  /** What the call does, to follow "Svc wants to": `read src/a.ts`. */
  readonly words: string;
  /** The words contain the whole input. Otherwise the user has to see the input before deciding. */
  readonly areComplete: boolean;
}

/** A tool call in words. The model chooses the input: it is cut, and characters that could mislead are escaped. */
export function callWords({ name, input }: Pick<ToolStep, 'name' | 'input'>): CallWords {
  const tool = ownTools.get(name);
  const own = tool?.words(input) ?? null;
  if (own === null) return { words: t('use the tool {0}', shown(name)), areComplete: false };
  // The tool ignores what it does not know, but the user sees it.
  const areComplete = Object.entries(input).every(
    ([key, value]) => tool?.hasField(key) === true && (typeof value !== 'string' || value.length <= maxPart),
  );
  return { words: own, areComplete };
}
