import { splitTrailers } from '../../../../evidence/provenance/trailers.ts';

/** The parts of the text in the input box of Source Control that stay when a message is written into it. */
interface Kept {
  /** The unchanged beginning that the user has written, such as `PROJ-123: `. */
  readonly beginning: string;
  /** Trailers such as `Signed-off-by: …` at the end; empty if there are none. */
  readonly trailers: string;
}

/** The last message that was written into a box, and the beginning that the box had before. */
export interface Written {
  readonly message: string;
  readonly beginning: string;
}

/** Returns the parts to keep. A generated message that the user has not changed is replaced. */
export function keptOf(box: string, last: Written | undefined): Kept {
  const { body, block } = splitTrailers(box);
  const trailers = block.join('\n');
  const text = block.length === 0 ? box : body.join('\n');
  const isGenerated = last !== undefined && text.trim() === last.message.trim();
  return { beginning: isGenerated ? last.beginning : text.trim() === '' ? '' : text, trailers };
}

/** The beginning, the message without a repetition of the beginning, and the trailers. */
export function messageWith(
  { beginning, trailers }: Kept,
  message: string,
): { readonly body: string; readonly box: string } {
  const rest = withoutBeginning(message, beginning);
  const body = beginning === '' || rest === '' ? beginning + rest : beginning + between(beginning) + rest;
  return { body, box: trailers === '' ? body : `${body.trimEnd()}\n\n${trailers}` };
}

/** Removes the beginning from a message. Models repeat it with other white space or punctuation at its end. */
function withoutBeginning(message: string, beginning: string): string {
  const [wanted, ...words] = [beginning, wordsOf(beginning)].map((text) => text.trim().toLowerCase());
  for (const start of [wanted, ...words]) {
    if (start === undefined || start === '' || !message.toLowerCase().startsWith(start)) continue;
    const rest = message.slice(start.length);
    // `PROJ-12` is not the beginning of `PROJ-123`.
    if (!/^[\p{L}\p{N}]/u.test(rest) || !/[\p{L}\p{N}]$/u.test(start)) return rest.replace(/^[\s:–—-]+/, '');
  }
  return message;
}

/** The beginning without the punctuation at its end. */
function wordsOf(beginning: string): string {
  const text = beginning.trimEnd();
  let end = text.length;
  while (end > 0 && ' :–—-'.includes(text[end - 1] ?? 'x')) end -= 1;
  return text.slice(0, end);
}

function between(beginning: string): string {
  if (/[\s([{"'/]$/.test(beginning)) return '';
  return beginning.includes('\n') ? '\n' : ' ';
}
