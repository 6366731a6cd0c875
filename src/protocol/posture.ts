export interface PostureHeader {
  readonly name: string;
  readonly value: string;
  /** The setting from which the header comes. */
  readonly setting: string;
  /** The layers that set the value, for display. */
  readonly source: string;
  /** The layers that set less strict values, for display; empty if there are none. */
  readonly overruled: string;
  /** Whether the administrator has set the value. */
  readonly isManaged: boolean;
}

/** The policy, for display. */
export interface Posture {
  /** One short line, such as `maximum · eu-west · audit · zero retention · hipaa, gdpr`. */
  readonly label: string;
  /** A shorter label, such as `maximum +4`; empty without headers. */
  readonly short: string;
  readonly headers: readonly PostureHeader[];
  /** The reasons why nothing can be sent, for display; empty if sending is possible. */
  readonly problems: readonly string[];
  /** Whether the next request resolves the problem, so that it is not an error. */
  readonly isPending?: boolean;
}

/** Returns the origin of a header in one line: the layers that set it, and the layers that set less strict values. */
function sourceOf({ source, overruled }: Pick<PostureHeader, 'source' | 'overruled'>): string {
  return overruled === '' ? source : `${source}; ${overruled}`;
}

/**
 * Returns the details behind the label, one per line: the reasons why nothing can be sent or, if there are none, each header with
 * its origin.
 */
export function postureLines({ headers, problems }: Posture): readonly string[] {
  return problems.length > 0 ? problems : headers.map((one) => `${one.name}: ${one.value} (${sourceOf(one)})`);
}

/** The results of comparing a service's report about a request with the request. */
export const verdicts = ['confirmed', 'not-confirmed', 'contradicted'] as const;
export type Verdict = (typeof verdicts)[number];
