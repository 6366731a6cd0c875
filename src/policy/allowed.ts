import { type SettingKey, type SettingSpec, settings } from './settings.ts';

/**
 * The values that a setting, or a place in a file, accepts: data that platform/messages/describeAllowed.ts turns into text.
 */
export type Allowed<Format extends AllowedKind = AllowedKind> = AllowedValue<Format> & {
  /** Whether null is also allowed, which means no value. */
  readonly orNull?: boolean;
};

type AllowedValue<Format> = Choice | { readonly kind: Format };

/** A choice, a list or a number. */
export type Choice =
  /** One of `values`, in their written form (names, `true`, `null`). */
  | { readonly kind: 'oneOf'; readonly values: readonly string[] }
  /** A list of items of `values` or, if that is empty, of any strings. */
  | { readonly kind: 'listOf'; readonly values: readonly string[] }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly minimum?: number; readonly maximum?: number };

/** Named formats for values that are neither a choice nor a number. */
export type AllowedKind = SettingFormat | PolicyFormat;

/** The formats of settings. */
export type SettingFormat =
  | 'string'
  | 'model'
  | 'connections'
  /** A list of `model=tokens`. */
  | 'windows'
  /** A program that prints a key, with its arguments, time limit and origin. */
  | 'helper'
  | 'baseUrl';

/** The formats of the managed policy: platform/messages/describeManaged.ts turns them into text. */
type PolicyFormat =
  /** A model, or a prefix followed by `*`. */
  | 'modelPattern'
  /** The name of a tool, or an MCP server after `mcp:`, or a prefix of them followed by `*`. */
  | 'toolPattern'
  | 'list'
  | 'listNotEmpty'
  /** The program and its arguments. */
  | 'helperCommand'
  | 'bytes'
  /** The prefix of a ledger's name. */
  | 'logName'
  /** The address of a collector. */
  | 'otlpUrl'
  | 'headerName'
  | 'headerValue'
  /** The value true, which is allowed only with a collector. */
  | 'onlyWithOtlp'
  /** The name of an environment variable. */
  | 'variableName'
  /** A version such as `1.2.3`. */
  | 'version'
  | 'httpsUrl'
  /** The address of a delivered policy. */
  | 'policyUrl'
  /** The verifier key of a signed note. */
  | 'publicKey'
  /** A time such as `2026-11-26T10:00:00Z`. */
  | 'time'
  /** A time after `issued`. */
  | 'later'
  /** Only in the policy file of the machine. */
  | 'ownFile'
  /** The organization's instructions. */
  | 'instructions'
  /** The name of a file with them. */
  | 'instructionsFile'
  /** Nothing, because the policy has the instructions themselves. */
  | 'onlyInstructionsFile'
  | 'object'
  | 'eachKeyOnce'
  | 'origin'
  | 'utf8';

/** The values that a layer may have under a key. */
export function allowedIn(key: SettingKey): Allowed<SettingFormat> {
  const spec: SettingSpec = settings[key];
  return { ...valueIn(spec), ...(spec.nullable ? { orNull: true } : {}) };
}

function valueIn(spec: SettingSpec): AllowedValue<SettingFormat> {
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
    case 'windows':
    case 'helper':
      return { kind: spec.type };
  }
}
