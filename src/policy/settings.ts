/** The one table of settings. A test proves package.json equal to it, and README.md's table is made from it. */

export type SettingScope = 'application' | 'resource' | 'language-overridable';

export interface SettingSpec {
  readonly scope: SettingScope;
  /** JSON types a value may have. */
  readonly type: 'string' | 'boolean' | 'number' | 'integer' | 'string[]' | 'connections';
  readonly nullable: boolean;
  readonly default: unknown;
  /** The allowed values, of the setting or of the items of a list. */
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The header or body field that the value becomes. */
  readonly wire?: string;
  /** Layers of this key combine by tightening; of all others the innermost wins. */
  readonly tightens?: true;
}

export const securityLevels = ['standard', 'high', 'maximum'] as const;
export const regions = ['us-east', 'us-west', 'eu-west', 'asia-pacific'] as const;
export const frameworks = ['hipaa', 'sox', 'pci-dss', 'gdpr'] as const;

/** Which HTTP stack carries requests. */
export const stacks = ['auto', 'undici', 'vscode'] as const;

export type SecurityLevel = (typeof securityLevels)[number];
export type Region = (typeof regions)[number];
export type Framework = (typeof frameworks)[number];

const text = (fallback: string, wire?: string): SettingSpec => ({
  scope: 'resource',
  type: 'string',
  nullable: false,
  default: fallback,
  ...(wire === undefined ? {} : { wire }),
});

/** A day at most: a timer that is told to wait much longer fires at once. */
const seconds = (fallback: number): SettingSpec => ({
  scope: 'resource',
  type: 'integer',
  nullable: false,
  default: fallback,
  minimum: 1,
  maximum: 86_400,
});

export const settings = {
  'svc.baseUrl': { scope: 'application', type: 'string', nullable: false, default: '' },
  'svc.connections': { scope: 'application', type: 'connections', nullable: false, default: [] },
  'svc.connection': { scope: 'resource', type: 'string', nullable: true, default: null },
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
  'svc.compliance.securityLevel': {
    scope: 'resource',
    type: 'string',
    nullable: true,
    default: null,
    values: securityLevels,
    wire: 'Svc-Security-Level',
    tightens: true,
  },
  'svc.compliance.dataResidency': {
    scope: 'resource',
    type: 'string',
    nullable: true,
    default: null,
    values: regions,
    wire: 'Svc-Data-Residency',
    tightens: true,
  },
  'svc.compliance.audit': {
    scope: 'resource',
    type: 'boolean',
    nullable: true,
    default: null,
    wire: 'Svc-Audit-Enabled',
    tightens: true,
  },
  'svc.compliance.zeroRetention': {
    scope: 'resource',
    type: 'boolean',
    nullable: true,
    default: null,
    wire: 'Svc-Zero-Retention',
    tightens: true,
  },
  'svc.compliance.frameworks': {
    scope: 'resource',
    type: 'string[]',
    nullable: false,
    default: [],
    values: frameworks,
    wire: 'Svc-Compliance-Frameworks',
    tightens: true,
  },
  'svc.inlineCompletions.enabled': {
    scope: 'language-overridable',
    type: 'boolean',
    nullable: false,
    default: false,
  },
  'svc.tools.enabled': { scope: 'resource', type: 'boolean', nullable: false, default: false },
  'svc.tools.allowed': { scope: 'application', type: 'string[]', nullable: false, default: [] },
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
export type ComplianceKey = Extract<SettingKey, `svc.compliance.${string}`>;

export const settingKeys = Object.keys(settings) as readonly SettingKey[];
