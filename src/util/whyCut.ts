/** The reason why an answer ended before it was complete. */
export type Cut = 'length' | 'filter' | 'other';

/** The finish reasons of a complete answer, without case and punctuation. Any other reason means that something is missing. */
const complete = new Set([
  ...['stop', 'stopsequence', 'stoptoken', 'eos', 'eostoken', 'endofsequence', 'endturn', 'endofturn', 'end'],
  ...[
    'complete',
    'completed',
    'finish',
    'finished',
    'done',
    'success',
    'toolcall',
    'toolcalls',
    'functioncall',
    'tooluse',
  ],
]);
const reachedLength = new Set([
  ...['length', 'maxtokens', 'maxoutputtokens', 'maxcompletiontokens', 'maxlength', 'modellength', 'tokenlimit'],
  ...['contextlength', 'contextlengthexceeded', 'modelcontextwindowexceeded'],
]);
const filtered = /filter|safety|moderat|guardrail|recitation|prohibited|blocklist|spii|sensitive|refusal|policy/i;

/**
 * Returns the reason why an answer was cut off, or null if it was not. `finishReason` is the service's value: services use
 * different values, and a gateway passes on the value of the service behind it.
 */
export function whyCut(finishReason: string | undefined): Cut | null {
  const reason = plain(finishReason);
  if (reason === '' || isUnsaid(finishReason) || complete.has(reason)) return null;
  if (reachedLength.has(reason)) return 'length';
  return filtered.test(finishReason ?? '') ? 'filter' : 'other';
}

/** The finish reason of an answer for which the service gave no reason. */
export const unsaid = 'unknown';
/** The finish reason of an answer that also ended without `[DONE]`. */
export const streamEnd = 'stream_end';
/** The finish reason of an answer whose reason announces calls, but that has no calls. */
export const callsMissing = 'tool_calls_missing';

/** Whether the service ended the answer without a reason: its code is then used only if the user confirms it. */
export function isUnsaid(finishReason: string | undefined): boolean {
  return finishReason === unsaid;
}

/** Whether the finish reason announces calls of tools. */
export function saysCalls(finishReason: string | undefined): boolean {
  return ['toolcall', 'toolcalls', 'functioncall', 'tooluse'].includes(plain(finishReason));
}

function plain(reason = ''): string {
  return reason.toLowerCase().replaceAll(/[^a-z]/g, '');
}
