/**
 * The single table of the Svc headers (interface document, 4.5), in the document's order. Settings, resolving, the
 * wire, posture, receipts, the audit page and the managed policy with its schema all derive from it; no other file in
 * src/ names a header or its setting, which a test enforces.
 */
export interface ComplianceRow {
  readonly setting: `svc.compliance.${string}`;
  readonly header: `Svc-${string}`;
  /** All allowed values, from the loosest to the strictest if the strictest value applies. */
  readonly values: readonly string[] | readonly [false, true];
  /**
   * The way in which layers combine: the strictest value applies; or all must agree; or the header has the union of their lists
   * (only then is the value a list).
   */
  readonly combine: 'strictest' | 'agree' | 'union';
  /**
   * Additional names of the header in a service's receipt, in lower case without punctuation. No document specifies the format
   * of a receipt.
   */
  readonly receiptNames: readonly string[];
  /** A service's alternative names for some of the values. */
  readonly receiptWords?: Readonly<Record<string, string>>;
  /** The end of the sentence in the managed policy's schema that begins with the header. */
  readonly managed: string;
}

export const compliance = {
  securityLevel: {
    setting: 'svc.compliance.securityLevel',
    header: 'Svc-Security-Level',
    values: ['standard', 'high', 'maximum'],
    combine: 'strictest',
    receiptNames: ['level'],
    managed: '',
  },
  dataResidency: {
    setting: 'svc.compliance.dataResidency',
    header: 'Svc-Data-Residency',
    values: ['us-east', 'us-west', 'eu-west', 'asia-pacific'],
    combine: 'agree',
    receiptNames: ['residency', 'region', 'dataregion'],
    managed: '. A workspace that asks for another region is blocked.',
  },
  audit: {
    setting: 'svc.compliance.audit',
    header: 'Svc-Audit-Enabled',
    values: [false, true],
    combine: 'strictest',
    receiptNames: ['auditenabled', 'auditlogging', 'auditlog'],
    managed: '; with true, nothing is sent without a record in the local audit log.',
  },
  zeroRetention: {
    setting: 'svc.compliance.zeroRetention',
    header: 'Svc-Zero-Retention',
    values: [false, true],
    combine: 'strictest',
    receiptNames: ['zerodataretention', 'zeroretentionenabled'],
    managed: '; with true, no part of a conversation is kept on this machine either.',
  },
  frameworks: {
    setting: 'svc.compliance.frameworks',
    header: 'Svc-Compliance-Frameworks',
    values: ['hipaa', 'sox', 'pci-dss', 'gdpr'],
    combine: 'union',
    receiptNames: ['complianceframeworks', 'compliance'],
    // The interface document itself uses this name once.
    receiptWords: { pci: 'pci-dss' },
    managed: '; others can add to them.',
  },
} as const satisfies Readonly<Record<string, ComplianceRow>>;

type Table = typeof compliance;
export type ComplianceField = keyof Table;
export type ComplianceKey = Table[ComplianceField]['setting'];
export type SvcHeaderName = Table[ComplianceField]['header'];
type Item<F extends ComplianceField> = Table[F]['values'][number];

/** The value of a field in a policy; null (or an empty list) if no layer sets it. */
export type ComplianceValue<F extends ComplianceField> = Table[F]['combine'] extends 'union'
  ? readonly Item<F>[]
  : Item<F> | null;

/** The boolean fields. */
export type FlagField = { [F in ComplianceField]: Item<F> extends boolean ? F : never }[ComplianceField];

export type Region = Item<'dataResidency'>;
export type Framework = Item<'frameworks'>;
export const regions = compliance.dataResidency.values;
export const frameworks = compliance.frameworks.values;

export const complianceFields = Object.keys(compliance) as readonly ComplianceField[];

/** Returns the field of a header, or undefined for an unknown name, as in a record of another version. */
export function fieldOfHeader(name: string): ComplianceField | undefined {
  return complianceFields.find((field) => compliance[field].header === name);
}

export function isFlag(field: ComplianceField): field is FlagField {
  const { values }: ComplianceRow = compliance[field];
  return values.includes(false as never);
}
