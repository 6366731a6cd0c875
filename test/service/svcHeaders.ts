import { badRequest } from './httpError.ts';

/**
 * The five headers of the interface document, 4.5, repeated on purpose: a service that shared the extension's table
 * could not detect a mistake in it.
 */
const allowedValues: Readonly<Record<string, readonly string[]>> = {
  'Svc-Security-Level': ['standard', 'high', 'maximum'],
  'Svc-Data-Residency': ['us-east', 'us-west', 'eu-west', 'asia-pacific'],
  'Svc-Audit-Enabled': ['true', 'false'],
  'Svc-Zero-Retention': ['true', 'false'],
  'Svc-Compliance-Frameworks': ['hipaa', 'sox', 'pci-dss', 'gdpr'],
};

/** The requirements of a request. null, or an empty list, if its headers set nothing. */
export interface SvcConstraints {
  readonly level: string | null;
  readonly residency: string | null;
  readonly audit: boolean | null;
  readonly zeroRetention: boolean | null;
  readonly frameworks: readonly string[];
  /** The headers as received, in the document's order. */
  readonly sent: readonly (readonly [name: string, value: string])[];
}

/** Throws a 400 HttpError that names the header, the problem with its value, and the allowed values. */
export function parseSvcHeaders(headers: Readonly<Record<string, string>>): SvcConstraints {
  const known = new Map(Object.keys(allowedValues).map((name) => [name.toLowerCase(), name]));
  for (const name of Object.keys(headers)) {
    if (!name.startsWith('svc-') || known.has(name)) continue;
    throw badRequest(
      'unknown_header',
      name,
      `The header ${name} does not exist. The headers are ${Object.keys(allowedValues).join(', ')}.`,
    );
  }
  const sent: [string, string][] = [];
  for (const [lower, name] of known) {
    const value = headers[lower];
    if (value === undefined) continue;
    checkValue(name, value);
    sent.push([name, value]);
  }
  const flag = (name: string): boolean | null => {
    const value = headers[name];
    return value === undefined ? null : value === 'true';
  };
  return {
    level: headers['svc-security-level'] ?? null,
    residency: headers['svc-data-residency'] ?? null,
    audit: flag('svc-audit-enabled'),
    zeroRetention: flag('svc-zero-retention'),
    frameworks: (headers['svc-compliance-frameworks'] ?? '').split(/, ?/).filter((name) => name !== ''),
    sent,
  };
}

function checkValue(name: string, value: string): void {
  const allowed = allowedValues[name] ?? [];
  const isList = name === 'Svc-Compliance-Frameworks';
  const items = isList ? value.split(/, ?/) : [value];
  const wrong = items.find((item) => !allowed.includes(item));
  if (wrong === undefined) return;
  const rule = isList ? `a comma-separated list drawn from ${allowed.join(', ')}` : `one of ${allowed.join(', ')}`;
  throw badRequest('invalid_header', name, `The header ${name} ${faultOf(wrong, value, allowed)}. Allowed is ${rule}.`);
}

function faultOf(wrong: string, value: string, allowed: readonly string[]): string {
  if (value === '') return 'is empty';
  if (wrong === '') return 'has an empty item';
  const shown = JSON.stringify(wrong.slice(0, 60));
  if (allowed.includes(wrong.trim().toLowerCase())) return `has the value ${shown}, in another case or with blanks`;
  return `has the value ${shown}, which does not exist`;
}
