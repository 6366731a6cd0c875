import * as vscode from 'vscode';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import { foreignText } from '../../../../platform/messages/foreignText.ts';
import type { Choosable, PresentTool, ToolChoice, ToolRow } from './toolChoice.ts';
import { costOf, tokensOf } from './toolCost.ts';

const t = vscode.l10n.t;

/** The maximum length in characters of third-party text in the list. */
const maxName = 80;
const maxDescription = 300;

/** A row as text. */
export interface ToolItem {
  readonly id: string;
  readonly isSeparator: boolean;
  readonly isChecked: boolean;
  /** Whether the user cannot change the row here. */
  readonly isLocked: boolean;
  readonly label: string;
  readonly description?: string;
  /** A text that precedes the detail, with an icon, because the end of a line may be cut off. */
  readonly warning?: string;
  readonly detail?: string;
}

export function toolItems(choice: ToolChoice): readonly ToolItem[] {
  const present = new Map(choice.facts.present.map((tool) => [tool.name, tool]));
  return choice.rows.map((row): ToolItem => {
    if (row.kind === 'group') {
      return { id: row.id, isSeparator: true, isChecked: false, isLocked: false, label: groupWords(row) };
    }
    const isLocked = choice.lockOf(row) !== null;
    const words = rowWords(row, choice, present);
    return { id: row.id, isSeparator: false, isChecked: choice.isChecked(row), isLocked, ...words };
  });
}

function groupWords({ of, source }: Extract<ToolRow, { kind: 'group' }>): string {
  switch (of) {
    case 'own':
      return 'Svc Coder';
    case 'source':
      return foreignText(source, maxName);
    case 'absent':
      return t('Not available now');
  }
}

type Words = Pick<ToolItem, 'label' | 'description' | 'warning' | 'detail'>;

function rowWords(row: Choosable, choice: ToolChoice, present: ReadonlyMap<string, PresentTool>): Words {
  if (row.kind === 'switch') {
    const { locked } = choice.facts;
    const does = t('The model may call the selected tools. Every call needs your approval.');
    return { label: t('Use tools'), detail: locked === '' ? does : locked };
  }
  const lock = choice.lockOf(row);
  const reason = lock?.by === 'scope' ? lock.reason : t('A tool with this name cannot be offered to the model.');
  if (row.kind === 'own') {
    const { definition, title, does } = row.tool;
    const description = [definition.name, tokenWords(tokensOf(definition)), t('needs approval')].join(' · ');
    return { label: title(), description, detail: lock?.by === 'scope' ? lock.reason : does() };
  }
  const tool = present.get(row.name);
  const tokens = tool === undefined ? [] : [tokenWords(tool.tokens)];
  const source = tool === undefined ? t('Not available now') : foreignText(tool.source, maxName);
  const detail = lock === null || lock.by === 'all' ? foreignText(tool?.description ?? '', maxDescription) : reason;
  return {
    label: foreignText(row.name, maxName),
    description: [...tokens, t('needs approval'), source].join(' · '),
    ...(lock === null ? { warning: t('Exclusions by name do not apply.') } : {}),
    ...(detail === '' ? {} : { detail }),
  };
}

/** The number of selected tools above which the title begins with their cost. */
const manyTools = 20;

/** The title of the list, with the number of selected tools and their cost. */
export function toolTitle(choice: ToolChoice): string {
  const { count, tokens } = costOf(choice);
  if (!choice.isOn) return t('Configure Tools: tools are off');
  if (count === 0) return t('Configure Tools');
  return count > manyTools
    ? t(
        'Configure Tools: these {0} tools cost about {1} tokens each time',
        describeNumber(count),
        describeNumber(tokens),
      )
    : t('Configure Tools: {0} selected, about {1} tokens each time', describeNumber(count), describeNumber(tokens));
}

function tokenWords(tokens: number): string {
  return t('about {0} tokens', describeNumber(tokens));
}
