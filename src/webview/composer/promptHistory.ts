/** The user's position in the history of sent messages. */
export interface Recall {
  /** The number of steps back: 0 is the draft, 1 the last message sent. */
  readonly back: number;
  /** The draft when the user started to go back. */
  readonly draft: string;
  /** The text shown now; if the user changes it, it is a new draft. */
  readonly shown: string;
}

/**
 * Moves one step through the sent messages (oldest first), as in a shell; the draft comes after the newest message. Returns
 * undefined if there is no further message: the key then has its normal effect.
 */
export function recall(
  messages: readonly string[],
  text: string,
  now: Recall | undefined,
  step: 'older' | 'newer',
): Recall | undefined {
  const from = now !== undefined && now.shown === text ? now : { back: 0, draft: text, shown: text };
  // Repeated identical messages are one step.
  const distinct = messages.filter((message, index) => message !== messages[index + 1]);
  const back = from.back + (step === 'older' ? 1 : -1);
  if (back < 0) return undefined;
  const shown = back === 0 ? from.draft : distinct.at(-back);
  return shown === undefined ? undefined : { back, draft: from.draft, shown };
}
