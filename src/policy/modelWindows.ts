/** The limits in tokens of a context window in the settings. */
export const windowLimits = { least: 1024, most: 16_777_216 } as const;

/** Whether this is an item of svc.context.windows: `identifier=number`, or `prefix*=number`. */
export function isModelWindow(item: unknown): item is string {
  if (typeof item !== 'string') return false;
  const [, digits = ''] =
    /^[^=*\s][^=*\s]*\*?=(\d{4,8})$|^\*=(\d{4,8})$/.exec(item)?.filter((part) => part !== undefined) ?? [];
  return Number(digits) >= windowLimits.least && Number(digits) <= windowLimits.most;
}

/** The model of an item, or the prefix of models. */
export function modelOfWindow(item: string): string {
  return item.slice(0, item.indexOf('='));
}

/** Returns the list with this window for the model, or null if the setting cannot represent the model's name or the number. */
export function withModelWindow(list: readonly string[], model: string, tokens: number): readonly string[] | null {
  const item = `${model}=${tokens}`;
  if (model.endsWith('*') || !isModelWindow(item)) return null;
  return [...list.filter((other) => modelOfWindow(other) !== model), item];
}
