/** A limit of a time. A slow or busy machine exceeds the milliseconds; there, the ratio to the peer counts. */
export interface Limit {
  readonly ms: number;
  /** How many times as long as a named peer, measured in the same run. */
  readonly ofPeer: number;
}

export function isWithin(ms: number, peerMs: number, limit: Limit): boolean {
  return ms <= limit.ms || ms <= peerMs * limit.ofPeer;
}
