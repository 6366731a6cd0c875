import { type SettingKey, type SettingSpec, settings } from './settings.ts';

/** What a setting, or a place in a file, takes: data, for which host/messages/describeAllowed.ts has the words. */
export type Allowed = AllowedValue & {
  /** null is allowed, too, and stands for no value. */
  readonly orNull?: boolean;
};

type AllowedValue =
  /** One of these, written as they stand there (names, `true`, `null`). */
  | { readonly kind: 'oneOf'; readonly values: readonly string[] }
  /** A list of these; of any strings where there are none. */
  | { readonly kind: 'listOf'; readonly values: readonly string[] }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: AllowedKind };

/** What is neither a choice nor a number; a name for each. */
export type AllowedKind =
  | 'string'
  | 'model'
  /** A model, or the beginning of one and `*`. */
  | 'modelPattern'
  | 'list'
  | 'listNotEmpty'
  | 'connections'
  | 'bytes'
  | 'object'
  | 'eachKeyOnce'
  | 'origin'
  | 'baseUrl'
  | 'utf8';

/** What a layer may hold under a key. */
export function allowedIn(key: SettingKey): Allowed {
  const spec: SettingSpec = settings[key];
  return { ...valueIn(spec), ...(spec.nullable ? { orNull: true } : {}) };
}

function valueIn(spec: SettingSpec): AllowedValue {
  const { minimum, maximum, values } = spec;
  switch (spec.type) {
    case 'string':
      return values === undefined ? { kind: spec.wire === 'model' ? 'model' : 'string' } : { kind: 'oneOf', values };
    case 'boolean':
      return { kind: 'oneOf', values: ['true', 'false'] };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isWhole: spec.type === 'integer',
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      };
    case 'string[]':
      return { kind: 'listOf', values: values ?? [] };
    case 'connections':
      return { kind: 'connections' };
  }
}
