import { append } from '../util/append.ts';
import { allowedIn } from './allowed.ts';
import { readValue, showValue } from './readValue.ts';
import type { Layer, PolicyProblem } from './requestPolicy.ts';
import { resolveSetting } from './resolveSetting.ts';
import type { onLimit } from './settings.ts';
import { type ChosenLimits, resolveTimeLimits } from './timeLimits.ts';

/** The fields of a request's body besides its messages. null is not sent. */
export interface RequestOptions {
  readonly model: string;
  /** The setting that names the model: not sent, only for messages. */
  readonly modelKey: ModelKey;
  /** The prompt, or the choice for the conversation, that replaced the setting's model: not sent either. */
  readonly prompt?: string;
  readonly isOfConversation?: true;
  readonly stream: boolean;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  /** Not sent: the time limits for each part of the answer. */
  readonly limits: ChosenLimits;
  /** Not sent: how much of a conversation a request carries. */
  readonly context: ContextOptions;
}

interface ContextOptions {
  /** The most tokens of a request, estimated; null: as many as the model reads. */
  readonly maxTokens: number | null;
  /** How many tokens models read: each `model=tokens`, or `beginning*=tokens`. */
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
  /** The prompt's name, if it came from one. */
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
  // The setting is read anyway: an invalid one blocks a request with a prompt too.
  const { model, ...by } = asked;
  if (readValue(modelKey, model).is !== 'value') {
    const found = [{ layer: 'workspace', value: showValue(model) }] as const;
    problems.push({ reason: 'invalid', key: modelKey, found, allowed: allowedIn(modelKey), ...by });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, options: { ...options, ...asked } };
}
