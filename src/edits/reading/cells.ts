import { trimLines } from '../text/lines.ts';

/** Code for one cell of a notebook. */
export interface CellCode {
  /** The number of the cell that the code names, or undefined if it names none. */
  readonly number: number | undefined;
  readonly lines: readonly string[];
}

/** The heading of a cell in the text of an attached notebook, which models repeat, also as a comment. */
const heading = /^[ \t]{0,8}(?:#|\/\/|--|%)?[ \t]{0,8}\[cell (\d{1,5})(?:,[^\]\n]{0,60})?\][ \t]{0,8}$/i;
const outputHeading = /^[ \t]{0,8}(?:#|\/\/|--|%)?[ \t]{0,8}\[output of cell \d{1,5}\][ \t]{0,8}$/i;

/** Returns the cells that a block of code is for, without the outputs that it repeats. */
export function readCells(text: string): readonly CellCode[] {
  const cells: { number: number | undefined; lines: string[] }[] = [{ number: undefined, lines: [] }];
  let isOutput = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const number = heading.exec(line)?.[1];
    if (number !== undefined) cells.push({ number: Number(number), lines: [] });
    isOutput = number === undefined && (isOutput || outputHeading.test(line));
    if (number === undefined && !isOutput) cells.at(-1)?.lines.push(line);
  }
  return cells
    .map((cell) => ({ ...cell, lines: trimLines(cell.lines) }))
    .filter(({ lines }) => lines.some((line) => line.trim() !== ''));
}
