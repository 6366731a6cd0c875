import type { Allowed, SettingFormat } from './allowed.ts';
import type { ComplianceField, ComplianceValue } from './compliance/compliance.ts';
import type { SettingKey } from './settings.ts';

/** The layers from the outermost to the innermost. `remote` is the machine that a remote window works on. */
export const layerNames = ['managed', 'user', 'remote', 'workspace', 'folder'] as const;

export type LayerName = (typeof layerNames)[number];

/** The source of a value. `name` distinguishes folders. */
export interface LayerRef {
  readonly layer: LayerName;
  readonly name?: string;
}

/** One layer's raw values, not validated yet. A missing key is unset in this layer. */
export interface Layer extends LayerRef {
  /** The URI of a folder: two folders can have the same name. */
  readonly folder?: string;
  readonly values: Readonly<Partial<Record<SettingKey, unknown>>>;
}

/** One constraint after all layers have tightened it. */
export interface Resolved<T> {
  /** The value; null (or an empty list) if no layer sets it, so that no header is sent. */
  readonly value: T;
  /** The layers that set exactly this value (for frameworks: the layers that set any framework). */
  readonly setBy: readonly LayerRef[];
  /** The layers that set a looser value. */
  readonly overruled: readonly (LayerRef & { readonly asked: string })[];
}

declare const resolvedByPolicy: unique symbol;

/** The combined constraints of all layers: one field for each header. */
export type Constraints = { readonly [F in ComplianceField]: Resolved<ComplianceValue<F>> };

/** Resolved constraints with their sources. Only resolvePolicy() makes one, and every chat request requires one. */
export interface RequestPolicy extends Constraints {
  readonly [resolvedByPolicy]: true;
}

/** Whether no part of this request's content may be stored, here or at the service. Only this function decides it. */
export function asksZeroRetention({ zeroRetention }: Constraints): boolean {
  return zeroRetention.value === true;
}

/** The reason why nothing is sent: the key, its layers, the found value (shortened), and the allowed values. */
export interface PolicyProblem {
  readonly reason: 'invalid' | 'conflict' | 'unknown-connection' | 'not-managed';
  readonly key: SettingKey;
  readonly found: readonly (LayerRef & { readonly value: string })[];
  readonly allowed: Allowed<SettingFormat>;
  /** The workspace prompt that set the value, if it did not come from a setting. */
  readonly prompt?: string;
  /** Present if the value is the model that the user selected for the conversation. */
  readonly isOfConversation?: true;
}
