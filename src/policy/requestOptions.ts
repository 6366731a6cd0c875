import { allowedIn } from './allowed.ts';
import { readValue, showValue } from './readValue.ts';
import type { Layer, PolicyProblem } from './requestPolicy.ts';
import { resolveSetting } from './resolveSetting.ts';
import { type ChosenLimits, resolveTimeLimits } from './timeLimits.ts';

/** What the body of a request says beside its messages. null is not sent. */
export interface RequestOptions {
  readonly model: string;
  /** The setting that names the model: not sent, for words alone. */
  readonly modelKey: ModelKey;
  /** The prompt that asked for the model in the setting's place: not sent either. */
  readonly prompt?: string;
  readonly stream: boolean;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  /** Not sent: how long each part of the answer may take. */
  readonly limits: ChosenLimits;
}

export type ModelKey = 'svc.model.chat' | 'svc.model.code' | 'svc.model.review';

/** A model in the setting's place: a prompt of the workspace asks for it, or a person picked it in VS Code's own chat. */
export interface AskedModel {
  readonly model: string;
  /** The prompt's name, where it is one. */
  readonly prompt?: string;
}

export type RequestOptionsResolution =
  | { readonly ok: true; readonly options: RequestOptions }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Reads the model and the body's numbers. An empty or blank model is no model: it blocks, as any invalid value does. */
export function resolveRequestOptions(
  layers: readonly Layer[],
  modelKey: ModelKey,
  asked?: AskedModel,
): RequestOptionsResolution {
  const problems: PolicyProblem[] = [];
  const read = (key: ModelKey | `svc.request.${'stream' | 'maxTokens' | 'temperature'}`): unknown => {
    const resolved = resolveSetting(layers, key);
    if (!resolved.ok) problems.push(resolved.problem);
    return resolved.ok ? resolved.value : null;
  };
  const limits = resolveTimeLimits(layers);
  if (!limits.ok) problems.push(...limits.problems);
  // The table has checked the types of what is read here.
  const options = {
    model: read(modelKey),
    modelKey,
    stream: read('svc.request.stream'),
    maxTokens: read('svc.request.maxTokens'),
    temperature: read('svc.request.temperature'),
    limits: limits.ok ? limits.limits : null,
  } as RequestOptions;
  if (asked === undefined) return problems.length > 0 ? { ok: false, problems } : { ok: true, options };
  // The setting is read all the same: what blocks a request blocks it with a prompt too.
  const { model, ...by } = asked;
  if (readValue(modelKey, model).is !== 'value') {
    const found = [{ layer: 'workspace', value: showValue(model) }] as const;
    problems.push({ reason: 'invalid', key: modelKey, found, allowed: allowedIn(modelKey), ...by });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, options: { ...options, ...asked } };
}
