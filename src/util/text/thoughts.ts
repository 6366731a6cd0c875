/** The tags around a model's thoughts if the service does not separate them from the answer. */
const names = 'think|thinking|thoughts?|reasoning|reflection';
const opening = new RegExp(`\\s*<(?:${names})>`, 'iy');
const closing = new RegExp(`</(?:${names})>`, 'gi');

/** An answer without the thoughts before it. */
interface WithoutThoughts {
  readonly text: string;
  /** Whether the thoughts have no end: the start of the answer is not known, and `text` is empty. */
  readonly isOpen: boolean;
}

/** Removes the thoughts at the start of a text. A block whose opening tag is missing is not recognized. */
export function withoutThoughts(answer: string): WithoutThoughts {
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const openingMatch = opening.exec(answer);
    if (openingMatch === null) return { text: answer.slice(at), isOpen: false };
    closing.lastIndex = at + openingMatch[0].length;
    const end = closing.exec(answer);
    if (end === null) return { text: '', isOpen: true };
    at = end.index + end[0].length;
  }
}
