import { append } from '../util/append.ts';
import { allowedIn } from './allowed.ts';
import { readValue, showValue } from './readValue.ts';
import type { Layer, PolicyProblem } from './requestPolicy.ts';
import { resolveSetting } from './resolveSetting.ts';
import type { onLimit } from './settings.ts';
import { type ChosenLimits, resolveTimeLimits } from './timeLimits.ts';

/** The fields of a request's body other than its messages. A null value is not sent. */
export interface RequestOptions {
  readonly model: string;
  /** The setting that names the model; it is not sent, but only used in messages. */
  readonly modelKey: ModelKey;
  /** The prompt (or `isOfConversation`, the user's choice) that replaced the setting's model; neither is sent. */
  readonly prompt?: string;
  readonly isOfConversation?: true;
  readonly stream: boolean;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  /** The time limits for each part of the answer; they are not sent. */
  readonly limits: ChosenLimits;
  /** The limits for the conversation in a request; they are not sent. */
  readonly context: ContextOptions;
}

interface ContextOptions {
  /** The maximum number of tokens of a request, estimated; null for as many as the model reads. */
  readonly maxTokens: number | null;
  /** The context windows of models, each as `model=tokens` or `prefix*=tokens`. */
  readonly windows: readonly string[];
  readonly onLimit: (typeof onLimit)[number];
}

export type ModelKey = 'svc.model.chat' | 'svc.model.code' | 'svc.model.review';

/**
 * A model that replaces the setting: from a prompt of the workspace, or selected by the user for the conversation or in
 * VS Code's own chat.
 */
export interface AskedModel {
  readonly model: string;
  /** The name of the prompt, if the model came from one. */
  readonly prompt?: string;
  readonly isOfConversation?: true;
}

export type RequestOptionsResolution =
  | { readonly ok: true; readonly options: RequestOptions }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Reads the model and the body's numbers. An empty or blank model is invalid and blocks, like any invalid value. */
export function resolveRequestOptions(
  layers: readonly Layer[],
  modelKey: ModelKey,
  asked?: AskedModel,
): RequestOptionsResolution {
  const problems: PolicyProblem[] = [];
  const read = (
    key: ModelKey | `svc.request.${'stream' | 'maxTokens' | 'temperature'}` | `svc.context.${keyof ContextOptions}`,
  ): unknown => {
    const resolved = resolveSetting(layers, key);
    if (!resolved.ok) problems.push(resolved.problem);
    return resolved.ok ? resolved.value : null;
  };
  const limits = resolveTimeLimits(layers);
  if (!limits.ok) append(problems, limits.problems);
  // The table has checked the types of these values.
  const options = {
    model: read(modelKey),
    modelKey,
    stream: read('svc.request.stream'),
    maxTokens: read('svc.request.maxTokens'),
    temperature: read('svc.request.temperature'),
    limits: limits.ok ? limits.limits : null,
    context: {
      maxTokens: read('svc.context.maxTokens'),
      windows: read('svc.context.windows'),
      onLimit: read('svc.context.onLimit'),
    },
  } as RequestOptions;
  if (asked === undefined) return problems.length > 0 ? { ok: false, problems } : { ok: true, options };
  // The setting is read anyway, because an invalid one also blocks a request with a prompt.
  const { model, ...by } = asked;
  if (readValue(modelKey, model).is !== 'value') {
    const found = [{ layer: 'workspace', value: showValue(model) }] as const;
    problems.push({ reason: 'invalid', key: modelKey, found, allowed: allowedIn(modelKey), ...by });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, options: { ...options, ...asked } };
}
