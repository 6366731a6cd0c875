/** Where somebody is among the messages they have sent. */
export interface Recall {
  /** 1 is the last message sent, 0 what was being written before. */
  readonly back: number;
  /** What was being written when they began to look back. */
  readonly draft: string;
  /** What stands there now; changed by the user, it is a draft of its own. */
  readonly shown: string;
}

/**
 * One step through the messages sent (the oldest first), as in a shell; from the newest, the draft comes back. Undefined
 * where there is no step: the key then does what it always does.
 */
export function recall(
  messages: readonly string[],
  text: string,
  now: Recall | undefined,
  step: 'older' | 'newer',
): Recall | undefined {
  const from = now !== undefined && now.shown === text ? now : { back: 0, draft: text, shown: text };
  // The same asked twice in a row is one step.
  const distinct = messages.filter((message, index) => message !== messages[index + 1]);
  const back = from.back + (step === 'older' ? 1 : -1);
  if (back < 0) return undefined;
  const shown = back === 0 ? from.draft : distinct.at(-back);
  return shown === undefined ? undefined : { back, draft: from.draft, shown };
}
