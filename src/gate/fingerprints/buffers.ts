import { Hits } from './hits.ts';
import { roomFor } from './normal.ts';
import { unprefixedRoom } from './withoutPrefixes.ts';

/** The number of grams that are processed between two pauses when a file is added. Their results fit into the L1 cache. */
export const gramsAtATime = 2048;

/** The buffers that the search of a piece writes to. */
export function searchFor(length: number) {
  return {
    room: roomFor(length),
    prefixes: new Int32Array(length + 1),
    unprefixed: unprefixedRoom(length),
    hits: new Hits(gramsAtATime),
  };
}

export type Search = ReturnType<typeof searchFor>;
