/** The clocks of services, as their `Date` headers show them: the clock of this machine may be wrong. */
export class ServiceClock {
  /** The difference to this machine's clock, in milliseconds, by origin. */
  readonly #ahead = new Map<string, number>();

  /**
   * Notes a response. If this machine's clock fits the `Date`, which has whole seconds, it applies. Otherwise, the latest time that
   * fits does, so that no key is used after it has expired.
   */
  note(origin: string, date: unknown, sentAt: number, receivedAt: number): void {
    const shown = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (Number.isNaN(shown)) return;
    const [least, most] = [shown - receivedAt, shown + 1000 - sentAt];
    this.#ahead.set(origin, least <= 0 && 0 <= most ? 0 : most);
  }

  /** Returns the time at a service, in milliseconds since the epoch. */
  now(origin: string): number {
    return Date.now() + (this.#ahead.get(origin) ?? 0);
  }
}
