import * as vscode from 'vscode';
import type { ToolStep } from '../../../session/tools/toolStep.ts';
import { ownTools } from './own/ownTools.ts';
import { maxPart, shown } from './own/tool.ts';

const t = vscode.l10n.t;

interface CallWords {
  /** The action of the call as a text that follows "Svc wants to", such as `read src/a.ts`. */
  readonly words: string;
  /** Whether the text contains the whole input. Otherwise the user has to see the input before deciding. */
  readonly areComplete: boolean;
}

/** Describes a tool call. The model chooses the input, so it is cut, and characters that could mislead are escaped. */
export function callWords({ name, input }: Pick<ToolStep, 'name' | 'input'>): CallWords {
  const tool = ownTools.get(name);
  const description = tool?.words(input) ?? null;
  if (description === null) return { words: t('use the tool {0}', shown(name)), areComplete: false };
  // The tool ignores unknown fields, but the user sees them.
  const areComplete = Object.entries(input).every(
    ([key, value]) => tool?.hasField(key) === true && (typeof value !== 'string' || value.length <= maxPart),
  );
  return { words: description, areComplete };
}
