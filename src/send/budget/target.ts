/** The address of a service and the model. */
export type Target = string;

export function targetOf({ baseUrl }: { readonly baseUrl: string }, { model }: { readonly model: string }): Target {
  return `${baseUrl} ${model}`;
}

export function isTargetOf(target: Target, model: string): boolean {
  return target.endsWith(` ${model}`);
}
