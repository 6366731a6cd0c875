/** A line at the end of a commit message: `Name: value`. */
interface Trailer {
  readonly name: string;
  readonly value: string;
}

const pattern = /^[A-Za-z0-9][A-Za-z0-9-]*: ?\S/;

/**
 * Adds trailers to the end of a commit message, in its existing block or in a new one. The same trailer is not added twice;
 * with `replaces`, earlier trailers with the same name are removed.
 */
export function withTrailers(
  message: string,
  trailers: readonly (Trailer & { readonly replaces?: (value: string) => boolean })[],
): string {
  const { body, block: before } = splitTrailers(message);
  let block = before;
  for (const { name, value, replaces } of trailers) {
    const text = `${name}: ${value}`;
    block = block.filter((line) => {
      const [, found, old = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
      return found?.toLowerCase() !== name.toLowerCase() || (old !== value && replaces?.(old) !== true);
    });
    block = [...block, text];
  }
  return [body.join('\n').trimEnd(), ...(block.length > 0 ? [block.join('\n')] : [])].join('\n\n');
}

/** Splits the lines of a commit message from the block of trailers at its end, which is empty if there is none. */
export function splitTrailers(message: string): {
  readonly body: readonly string[];
  readonly block: readonly string[];
} {
  const lines = message.trimEnd().split(/\r?\n/);
  const last = lines.findLastIndex((line) => line.trim() === '');
  // The first paragraph is always the title, even if it looks like a trailer.
  const hasBlock = last !== -1 && lines.slice(last + 1).every(isTrailerLine);
  return hasBlock ? { body: lines.slice(0, last), block: lines.slice(last + 1) } : { body: lines, block: [] };
}

/** Whether a line is a trailer, or the continuation of one. */
function isTrailerLine(line: string, at: number): boolean {
  return pattern.test(line) || (at > 0 && /^\s+\S/.test(line));
}

/** The trailer `Assisted-by`, with the tool and the model. */
export function assistedBy(model: string): Trailer {
  return { name: 'Assisted-by', value: `svc-coder:${model.replace(/[^\x21-\x7e]+/g, '_').slice(0, 300)}` };
}

/** The trailer `Svc-Checkpoint`, which `verify.mjs --seen` reads. `root` is in base64. */
export function checkpointTrailer(
  origin: string,
  size: number,
  root: string,
): Trailer & {
  readonly replaces: (value: string) => boolean;
} {
  return {
    name: 'Svc-Checkpoint',
    value: `${origin} ${size} ${root}`,
    replaces: (value) => value.startsWith(`${origin} `),
  };
}
