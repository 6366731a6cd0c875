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
  readonly headers: readonly PostureHeader[];
  /** Why nothing can be sent, for display; empty if sending is possible. */
  readonly problems: readonly string[];
}
