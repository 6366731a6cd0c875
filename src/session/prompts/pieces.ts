/** The maximum number of lines of code that are requested as a whole: a model needs minutes for a thousand lines. */
const maxWholeLines = 120;

/** Whether code with this number of lines is requested in pieces. */
export function isLong(lines: number): boolean {
  return lines > maxWholeLines;
}

const form = ['<<<<<<< SEARCH', 'the lines to replace', '=======', 'the new lines', '>>>>>>> REPLACE'].join('\n');

/** Asks for the lines of each change instead of the whole text, which the changes are of. */
export function pieceWords(of: 'code' | 'file'): string {
  return `Give each change in the form below. Copy the lines to replace exactly from the ${of}, with so many lines around them that they occur only once.\n${form}\n`;
}
