export interface PostureHeader {
  readonly name: string;
  readonly value: string;
  /** The setting it comes from. */
  readonly setting: string;
  /** The layers that set it, for display. */
  readonly source: string;
  /** The layers that set less strict values, for display; empty if there are none. */
  readonly overruled: string;
  /** Set by the administrator. */
  readonly isManaged: boolean;
}

/** The policy, for display. */
export interface Posture {
  /** One short line, such as `maximum · eu-west · audit · zero retention · hipaa, gdpr`. */
  readonly label: string;
  /** The label in a word, such as `maximum +4`; empty without headers. */
  readonly short: string;
  readonly headers: readonly PostureHeader[];
  /** Why nothing can be sent, for display; empty if sending is possible. */
  readonly problems: readonly string[];
}

/** The origin of a header in one line: which layers set it, and which asked for less. */
function sourceOf({ source, overruled }: Pick<PostureHeader, 'source' | 'overruled'>): string {
  return overruled === '' ? source : `${source}; ${overruled}`;
}

/** What is behind the label, a line each: why nothing can be sent, or else each header with its origin. */
export function postureLines({ headers, problems }: Posture): readonly string[] {
  return problems.length > 0 ? problems : headers.map((one) => `${one.name}: ${one.value} (${sourceOf(one)})`);
}

/** How what a service reports about a request compares with it. */
export const verdicts = ['confirmed', 'not-confirmed', 'contradicted'] as const;
export type Verdict = (typeof verdicts)[number];
