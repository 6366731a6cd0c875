/** Longer code is asked for in pieces: a model needs minutes for a thousand lines. */
const longest = 120;

/** Whether some code of this many lines is asked for in pieces. */
export function isLong(lines: number): boolean {
  return lines > longest;
}

const form = ['<<<<<<< SEARCH', 'the lines to replace', '=======', 'the new lines', '>>>>>>> REPLACE'].join('\n');

/** Asks for the lines of each change instead of the whole text, which the changes are of. */
export function pieceWords(of: 'code' | 'file'): string {
  return `Give each change in the form below. Copy the lines to replace exactly from the ${of}, with so many lines around them that they occur only once.\n${form}\n`;
}
