/** A text with some characters replaced or removed. */
export interface Folded {
  readonly text: string;
  /** The original offset of each character of `text`. */
  readonly offsets: Uint32Array;
}

/** Replaces each run of white space with one space. */
export function foldBlanks(text: string): Folded {
  let isBlank = false;
  return fold(text, (character) => {
    const wasBlank = isBlank;
    isBlank = isSpace(character);
    if (!isBlank) return character;
    return wasBlank ? '' : ' ';
  });
}

/** Removes white space, and makes all quotation marks and dashes the same. */
export function foldMarks(text: string): Folded {
  return fold(text, (character) => {
    if (isSpace(character)) return '';
    if ('"\'`´“”„‟‘’‚‛«»'.includes(character)) return "'";
    return '‐‑‒–—−'.includes(character) ? '-' : character;
  });
}

function fold(text: string, replaced: (character: string) => string): Folded {
  const offsets = new Uint32Array(text.length);
  let folded = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = replaced(text[index] ?? '');
    if (character === '') continue;
    offsets[folded.length] = index;
    folded += character;
  }
  return { text: folded, offsets };
}

function isSpace(character: string): boolean {
  return character <= ' ' || character === '\u00a0' || character === '\u202f' || character === '\ufeff';
}
