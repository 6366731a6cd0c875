/** A line at the end of a commit message: `Name: value`. */
interface Trailer {
  readonly name: string;
  readonly value: string;
}

const pattern = /^[A-Za-z0-9][A-Za-z0-9-]*: ?\S/;

/**
 * A commit message with these trailers at its end, in its existing block or in a new one. The same trailer is not added
 * twice; with `replaces`, earlier ones with the same name are removed.
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

/** The lines of a commit message, and those of the block of trailers at its end; without one, an empty block. */
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

/** A trailer, or the continuation of one. */
function isTrailerLine(line: string, at: number): boolean {
  return pattern.test(line) || (at > 0 && /^\s+\S/.test(line));
}

/** `Assisted-by`: the tool and the model. */
export function assistedBy(model: string): Trailer {
  return { name: 'Assisted-by', value: `svc-coder:${model.replace(/[^\x21-\x7e]+/g, '_').slice(0, 300)}` };
}

/** `Svc-Checkpoint`: what `verify.mjs --seen` reads. `root` in base64. */
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
