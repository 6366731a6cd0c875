import type { Allowed } from './allowed.ts';
import type { ComplianceField, ComplianceValue } from './compliance.ts';
import type { SettingKey } from './settings.ts';

/** From the outermost to the innermost. `remote` is the machine a remote window works on. */
export const layerNames = ['managed', 'user', 'remote', 'workspace', 'folder'] as const;

export type LayerName = (typeof layerNames)[number];

/** Where a value was read. `name` tells folders apart. */
export interface LayerRef {
  readonly layer: LayerName;
  readonly name?: string;
}

/** One layer's raw values, as found: nothing about them is believed yet. A key that is absent is unset there. */
export interface Layer extends LayerRef {
  readonly values: Readonly<Partial<Record<SettingKey, unknown>>>;
}

/** One constraint after all layers have tightened it. */
export interface Resolved<T> {
  /** null (or an empty list) where no layer asks: no header is sent. */
  readonly value: T;
  /** The layers that ask for just this value (for frameworks: the layers that ask for any). */
  readonly setBy: readonly LayerRef[];
  /** The layers that asked for less. */
  readonly overruled: readonly (LayerRef & { readonly asked: string })[];
}

declare const resolvedByPolicy: unique symbol;

/** What all layers together ask for: one field for each header. */
export type Constraints = { readonly [F in ComplianceField]: Resolved<ComplianceValue<F>> };

/** Resolved constraints with provenance. Only resolve() makes one; the client has no call that takes none. */
export interface RequestPolicy extends Constraints {
  readonly [resolvedByPolicy]: true;
}

/** Must nothing of this request's content stay, here and at the service? The one place that decides it. */
export function asksZeroRetention({ zeroRetention }: Constraints): boolean {
  return zeroRetention.value === true;
}

/** Why nothing is sent: which key, in which layers, what was found there (shortened), what is allowed. */
export interface PolicyProblem {
  readonly reason: 'invalid' | 'conflict' | 'unknown-connection' | 'not-managed';
  readonly key: SettingKey;
  readonly found: readonly (LayerRef & { readonly value: string })[];
  readonly allowed: Allowed;
  /** The prompt of the workspace that asked for the value, where it was no setting. */
  readonly prompt?: string;
}
