export type Framework = 'hipaa' | 'sox' | 'pci-dss' | 'gdpr';
export const frameworks: readonly Framework[] = ['hipaa', 'sox', 'pci-dss', 'gdpr'];

export interface ReviewRule {
  readonly id: string;
  /** Its frameworks, the most relevant first. */
  readonly frameworks: readonly Framework[];
  readonly severity: 'high' | 'medium' | 'low';
  readonly message: string;
  readonly matches: (line: string) => boolean;
}

const all: readonly Framework[] = ['pci-dss', 'hipaa', 'sox', 'gdpr'];
const personal = /\b\w*(ssn|patient|diagnosis|birth|e?mail|phone|card|pan|passw(or)?d|user)\w*\b/i;

/** Rules for one line at a time. Those for a whole block are in review.ts. */
export const reviewRules: readonly ReviewRule[] = [
  {
    id: 'hard-coded-secret',
    frameworks: all,
    severity: 'high',
    message: 'A secret stands in the code; keep it in an environment variable or a secret store.',
    matches: (line) =>
      /\b\w*(passw(or)?d|secret|api_?key|token)\w*['"]?\s*[:=]\s*['"`][^'"`]{6,}['"`]|\bsvc_ent_\w+|\bAKIA[0-9A-Z]{16}\b/i.test(
        line,
      ),
  },
  {
    id: 'eval',
    frameworks: all,
    severity: 'high',
    message: 'Text is run as code.',
    matches: (line) => /\beval\s*\(|\bnew Function\s*\(|\bexec\s*\(\s*[a-z_]+\s*\)/.test(line),
  },
  {
    id: 'sql-concatenation',
    frameworks: all,
    severity: 'high',
    message: 'A value is put into an SQL text; bind it as a parameter instead.',
    matches: (line) =>
      /\b(select|insert into|update|delete from)\b/i.test(line) &&
      /['"]\s*(\+|%|\.format\()|\$\{|\bf['"].*\{/.test(line),
  },
  {
    id: 'cleartext-http',
    frameworks: all,
    severity: 'medium',
    message: 'Data goes over a connection that is not encrypted; use https.',
    matches: (line) => /['"`]http:\/\/(?!localhost|127\.0\.0\.1|\[::1\])/i.test(line),
  },
  {
    id: 'weak-hash',
    frameworks: all,
    severity: 'medium',
    message: 'MD5 and SHA-1 no longer protect anything; use SHA-256, or a password hash for passwords.',
    matches: (line) => /\b(md5|sha-?1)\b/i.test(line),
  },
  {
    id: 'personal-data-in-log',
    frameworks: ['hipaa', 'gdpr', 'pci-dss'],
    severity: 'high',
    message: 'Personal data is written to a log.',
    matches: (line) => {
      const logged = /\b(?:console\.\w+|print|log(?:ger)?\.\w+)\s*\((.*)/i.exec(line)?.[1];
      return logged !== undefined && personal.test(logged);
    },
  },
  {
    id: 'unmasked-pan',
    frameworks: ['pci-dss'],
    severity: 'high',
    message: 'A card number stands here in full; show at most its first six and last four digits.',
    matches: (line) => (line.match(/\b\d(?:[ -]?\d){12,18}\b/g) ?? []).some(passesLuhn),
  },
];

/** The check digit of card numbers (ISO/IEC 7812). */
export function passesLuhn(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? digit : digit * 2;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return digits.length >= 13 && sum % 10 === 0;
}
