import { splitTrailers } from '../../../../evidence/provenance/trailers.ts';

/** What stays of the text in the input box of Source Control when a message is written into it. */
interface Kept {
  /** The user's beginning, such as `PROJ-123: `, as it is. */
  readonly beginning: string;
  /** Lines such as `Signed-off-by: …` at the end; empty for none. */
  readonly trailers: string;
}

/** The last message that was written into a box, and what the box had before. */
export interface Written {
  readonly message: string;
  readonly beginning: string;
}

/** A message that was generated, and that the user has not changed, is replaced. */
export function keptOf(box: string, last: Written | undefined): Kept {
  const { body, block } = splitTrailers(box);
  const trailers = block.join('\n');
  const text = block.length === 0 ? box : body.join('\n');
  const isGenerated = last !== undefined && text.trim() === last.message.trim();
  return { beginning: isGenerated ? last.beginning : text.trim() === '' ? '' : text, trailers };
}

/** The message after the beginning, which it may repeat, and before the trailers. */
export function messageWith(
  { beginning, trailers }: Kept,
  message: string,
): { readonly body: string; readonly box: string } {
  const rest = withoutBeginning(message, beginning);
  const body = beginning === '' || rest === '' ? beginning + rest : beginning + between(beginning) + rest;
  return { body, box: trailers === '' ? body : `${body.trimEnd()}\n\n${trailers}` };
}

/** Models repeat the beginning, with other white space or punctuation at its end. */
function withoutBeginning(message: string, beginning: string): string {
  const [wanted, ...words] = [beginning, wordsOf(beginning)].map((text) => text.trim().toLowerCase());
  for (const start of [wanted, ...words]) {
    if (start === undefined || start === '' || !message.toLowerCase().startsWith(start)) continue;
    const rest = message.slice(start.length);
    // `PROJ-12` is no beginning of `PROJ-123`.
    if (!/^[\p{L}\p{N}]/u.test(rest) || !/[\p{L}\p{N}]$/u.test(start)) return rest.replace(/^[\s:–—-]+/, '');
  }
  return message;
}

/** Without the punctuation at its end. */
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
