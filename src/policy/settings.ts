import { type ComplianceKey, type ComplianceRow, compliance } from './compliance/compliance.ts';

/**
 * The single table of settings (the settings of the headers come from compliance.ts). A test checks that package.json matches
 * it, and the table in docs/settings.md is generated from it.
 */

type SettingScope = 'application' | 'resource' | 'language-overridable';

export interface SettingSpec {
  readonly scope: SettingScope;
  /** The JSON type of the value. */
  readonly type: 'string' | 'boolean' | 'number' | 'integer' | 'string[]' | 'connections' | 'windows' | 'helper';
  readonly nullable: boolean;
  /** Present if null is a separate value; in all other settings, it means unset. */
  readonly isNullValue?: true;
  /** Present if an empty text is unset, like null: the settings editor has no form for a text that can be null. */
  readonly emptyIsUnset?: true;
  readonly default: unknown;
  /** The allowed values, of the setting or of the items of a list. */
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The header or body field that carries the value. */
  readonly wire?: string;
  /** Present if the layers of this key combine by tightening; for all other keys, the innermost layer wins. */
  readonly tightens?: true;
}

/** The HTTP stack for requests. */
const stacks = ['auto', 'undici', 'vscode'] as const;

/** The behaviors if a conversation exceeds the model's context window. */
export const onLimit = ['ask', 'summarize', 'leaveOut'] as const;

/** The ways in which the user allows calls of tools, the least strict first. */
export const toolApprovals = ['reads', 'conversation', 'each'] as const;

const text = (fallback: string, wire?: string): SettingSpec => ({
  scope: 'resource',
  type: 'string',
  nullable: false,
  default: fallback,
  ...(wire === undefined ? {} : { wire }),
});

/** A time limit of at most a day, because a timer with a much longer delay fires immediately. */
const seconds = (fallback: number): SettingSpec => ({
  scope: 'resource',
  type: 'integer',
  nullable: false,
  default: fallback,
  minimum: 1,
  maximum: 86_400,
});

function complianceSettings(): Readonly<Record<ComplianceKey, SettingSpec>> {
  const rows: readonly ComplianceRow[] = Object.values(compliance);
  return Object.fromEntries(rows.map((row) => [row.setting, settingOf(row)])) as Record<ComplianceKey, SettingSpec>;
}

function settingOf({ values, combine, header }: ComplianceRow): SettingSpec {
  const isList = combine === 'union';
  const names = values.filter((value) => typeof value === 'string');
  return {
    scope: 'resource',
    type: isList ? 'string[]' : names.length > 0 ? 'string' : 'boolean',
    nullable: !isList,
    default: isList ? [] : null,
    ...(names.length > 0 ? { values: names } : {}),
    wire: header,
    tightens: true,
  };
}

export const settings = {
  'svc.baseUrl': { scope: 'application', type: 'string', nullable: false, default: '' },
  'svc.connections': { scope: 'application', type: 'connections', nullable: false, default: [] },
  'svc.connection': { scope: 'resource', type: 'string', nullable: true, emptyIsUnset: true, default: '' },
  'svc.credentialHelper': { scope: 'application', type: 'helper', nullable: false, default: {} },
  'svc.model.chat': text('svc/auto', 'model'),
  'svc.model.code': text('svc/enterprise-coder-v1', 'model'),
  'svc.model.review': text('svc/compliance-assistant', 'model'),
  'svc.request.stream': { scope: 'resource', type: 'boolean', nullable: false, default: true, wire: 'stream' },
  'svc.request.maxTokens': {
    scope: 'resource',
    type: 'integer',
    nullable: true,
    default: null,
    minimum: 1,
    wire: 'max_tokens',
  },
  'svc.request.temperature': {
    scope: 'resource',
    type: 'number',
    nullable: true,
    default: null,
    minimum: 0,
    wire: 'temperature',
  },
  'svc.request.timeout.connect': seconds(10),
  'svc.request.timeout.firstToken': seconds(60),
  'svc.request.timeout.betweenBytes': seconds(60),
  'svc.request.timeout.attempts': seconds(120),
  'svc.request.timeout.answer': seconds(600),
  ...complianceSettings(),
  'svc.review.parallel': {
    scope: 'application',
    type: 'integer',
    nullable: false,
    default: 12,
    minimum: 1,
    maximum: 32,
  },
  'svc.inlineCompletions.enabled': {
    scope: 'language-overridable',
    type: 'boolean',
    nullable: false,
    default: false,
  },
  'svc.context.maxTokens': {
    scope: 'resource',
    type: 'integer',
    nullable: true,
    isNullValue: true,
    default: 100_000,
    minimum: 4000,
    maximum: 16_777_216,
  },
  'svc.context.windows': { scope: 'resource', type: 'windows', nullable: false, default: [] },
  'svc.context.onLimit': { ...text('ask'), values: onLimit },
  'svc.context.related': { scope: 'resource', type: 'boolean', nullable: false, default: true, tightens: true },
  'svc.instructions.enabled': { scope: 'resource', type: 'boolean', nullable: false, default: true, tightens: true },
  'svc.tools.enabled': { scope: 'resource', type: 'boolean', nullable: false, default: false },
  'svc.tools.approval': { ...text('conversation'), values: toolApprovals, tightens: true },
  'svc.tools.disabled': { scope: 'resource', type: 'string[]', nullable: false, default: [], tightens: true },
  'svc.tools.allowed': { scope: 'application', type: 'string[]', nullable: false, default: [] },
  'svc.changes.enabled': { scope: 'resource', type: 'boolean', nullable: false, default: false },
  'svc.tools.runTask': { scope: 'resource', type: 'boolean', nullable: false, default: false },
  'svc.provenance.notes': { scope: 'resource', type: 'boolean', nullable: false, default: false },
  'svc.gate.preview': { scope: 'resource', type: 'boolean', nullable: false, default: false, tightens: true },
  'svc.network.caFile': { scope: 'application', type: 'string', nullable: false, default: '' },
  'svc.network.clientCertificate': { scope: 'application', type: 'string', nullable: false, default: '' },
  'svc.network.clientKey': { scope: 'application', type: 'string', nullable: false, default: '' },
  'svc.network.stack': {
    scope: 'application',
    type: 'string',
    nullable: false,
    default: 'auto',
    values: stacks,
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof settings;

export const settingKeys = Object.keys(settings) as readonly SettingKey[];
