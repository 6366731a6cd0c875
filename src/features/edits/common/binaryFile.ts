type Lines = readonly string[];

/** The beginning of the line that stands for a file that is no text. A text file has no NUL. */
const mark = '\0';

/** Returns a line that stands for the content of a file that is no text: another content has another line. */
export function binaryLines(digest: string): Lines {
  return [mark + digest];
}

export function isBinary([first]: Lines): boolean {
  return first?.startsWith(mark) === true;
}
