import { median } from '../client/median.ts';
import { timesOfEdits } from '../matchEdit.ts';
import type { Figures } from './host/figures.ts';

/** A measured time with its limit, and a peer of the same run where there is one. */
export interface Figure {
  readonly name: string;
  readonly ms: number;
  readonly limit: number;
  readonly peer?: { readonly name: string; readonly ms: number };
}

/** Medians; of the places of an edit, the one that takes longest. */
export function figuresOf(measured: Figures): readonly Figure[] {
  const of = (name: keyof Figures): number => median(measured[name]);
  const [slowest] = timesOfEdits(40).toSorted((one, other) => other.ms - one.ms);
  return [
    {
      ...{
        name: `the place of an edit in a file of 10,000 lines (${slowest?.place})`,
        ms: slowest?.ms ?? 0,
        limit: 20,
      },
      peer: { name: 'indexOf()', ms: slowest?.peerMs ?? 0 },
    },
    { name: 'from the end of an answer to the card with its edit', ms: of('shown'), limit: 50 },
    {
      ...{ name: 'accept of 20 files', ms: of('accept'), limit: 1_500 },
      peer: { name: 'an edit of VS Code, saved', ms: of('applyEdit') },
    },
    {
      ...{ name: 'undo of 20 files', ms: of('undo'), limit: 1_000 },
      peer: { name: 'workspace.fs.writeFile()', ms: of('writeFile') },
    },
  ];
}
