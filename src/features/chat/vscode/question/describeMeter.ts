import * as vscode from 'vscode';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import type { MeterView } from '../../../../protocol/panelEvents.ts';
import type { Taken } from '../../../../send/budget/measured.ts';

const t = vscode.l10n.t;

/** The share from which the meter has the color of a warning. */
const almostFull = 0.8;

/** The meter of the composer: the share of the model's window that the next request takes. */
export function viewMeter({ tokens, budget, parts }: Taken): MeterView {
  const isAlmostFull = tokens >= almostFull * budget;
  const { conversation, attached, instructions, tools } = parts;
  const lines = [
    t('Conversation: {0}', describeNumber(conversation)),
    t('Attached: {0}', describeNumber(attached)),
    t('Instructions: {0}', describeNumber(instructions)),
    t('Tools: {0}', describeNumber(tools)),
    t('The numbers are estimates.'),
  ];
  return {
    text: `≈ ${shortNumber(tokens)} / ${shortNumber(budget)}`,
    short: percent(tokens / budget),
    label: t('Next request: about {0} of {1} tokens', describeNumber(tokens), describeNumber(budget)),
    detail: [...(isAlmostFull ? [t('Almost full: the oldest parts are left out first.')] : []), ...lines].join('\n'),
    isAlmostFull,
  };
}

/** A number in short form: `840`, `3.2k`, `14k`, `1.2M`. */
function shortNumber(value: number): string {
  const [scale, unit] = value < 999.5 ? [1, ''] : value < 999_500 ? [1000, 'k'] : [1_000_000, 'M'];
  const scaled = value / scale;
  const maximumFractionDigits = unit === '' || scaled >= 9.95 ? 0 : 1;
  return `${new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits }).format(scaled)}${unit}`;
}

/** A percentage, rounded up, so that only nothing is 0 %. */
function percent(share: number): string {
  const rounded = Math.ceil(Math.round(share * 1000) / 10) / 100;
  return new Intl.NumberFormat(vscode.env.language, { style: 'percent' }).format(rounded);
}
