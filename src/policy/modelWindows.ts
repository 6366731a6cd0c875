/** How many tokens a model can be set to read. */
export const windowLimits = { least: 1024, most: 16_777_216 } as const;

/** `identifier=number`, or the beginning of an identifier, then `*`: an item of svc.context.windows. */
export function isModelWindow(item: unknown): item is string {
  if (typeof item !== 'string') return false;
  const [, digits = ''] =
    /^[^=*\s][^=*\s]*\*?=(\d{4,8})$|^\*=(\d{4,8})$/.exec(item)?.filter((part) => part !== undefined) ?? [];
  return Number(digits) >= windowLimits.least && Number(digits) <= windowLimits.most;
}

/** The model, or the beginning of some, that an item is about. */
export function modelOfWindow(item: string): string {
  return item.slice(0, item.indexOf('='));
}

/** The list with this number for the model: null if the setting has no form for its name, or the number is out of its limits. */
export function withModelWindow(list: readonly string[], model: string, tokens: number): readonly string[] | null {
  const item = `${model}=${tokens}`;
  if (model.endsWith('*') || !isModelWindow(item)) return null;
  return [...list.filter((other) => modelOfWindow(other) !== model), item];
}
