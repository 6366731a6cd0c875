/** Why an answer ended before it was complete. */
export type Cut = 'length' | 'filter' | 'other';

/** The reasons of a complete answer, without case and punctuation: all others mean that something is missing. */
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
 * null if the answer was not cut off. `finishReason` is the service's value: services differ in their words, and a
 * gateway passes on those of the service behind it.
 */
export function whyCut(finishReason: string | undefined): Cut | null {
  const reason = plain(finishReason);
  if (reason === '' || isUnsaid(finishReason) || complete.has(reason)) return null;
  if (reachedLength.has(reason)) return 'length';
  return filtered.test(finishReason ?? '') ? 'filter' : 'other';
}

/** Stands for the reason that the service did not give. */
export const unsaid = 'unknown';
/** Stands for it where the answer ended without `[DONE]`, too. */
export const streamEnd = 'stream_end';
/** The reason of an answer that ends with calls, and has none. */
export const callsMissing = 'tool_calls_missing';

/** The service ended the answer without a reason: its code is used only if the user says so. */
export function isUnsaid(finishReason: string | undefined): boolean {
  return finishReason === unsaid;
}

/** The answer ends with calls of tools. */
export function saysCalls(finishReason: string | undefined): boolean {
  return ['toolcall', 'toolcalls', 'functioncall', 'tooluse'].includes(plain(finishReason));
}

function plain(reason = ''): string {
  return reason.toLowerCase().replaceAll(/[^a-z]/g, '');
}
