interface Frame {
  /** The keys of an object; null for a list. */
  readonly keys: Set<string> | null;
  /** The key or index of the current value. */
  at: string | number;
}

/**
 * Returns the path of a key that occurs twice in an object of a JSON text, such as `limits.fileBytes`, or null. JSON.parse
 * silently keeps the last value. `json` must be valid for JSON.parse.
 */
export function duplicateKey(json: string): string | null {
  const frames: Frame[] = [];
  let isKeyNext = false;
  for (let index = 0; index < json.length; index += 1) {
    const frame = frames.at(-1);
    switch (json[index]) {
      case '{':
        frames.push({ keys: new Set(), at: '' });
        isKeyNext = true;
        break;
      case '[':
        frames.push({ keys: null, at: 0 });
        isKeyNext = false;
        break;
      case '}':
      case ']':
        frames.pop();
        isKeyNext = false;
        break;
      case ',':
        if (typeof frame?.at === 'number') frame.at += 1;
        isKeyNext = frame?.keys != null;
        break;
      case '"': {
        const end = endOfString(json, index);
        if (isKeyNext && frame?.keys != null) {
          const key = String(JSON.parse(json.slice(index, end)));
          frame.at = key;
          if (frame.keys.has(key)) return pathOf(frames);
          frame.keys.add(key);
          isKeyNext = false;
        }
        index = end - 1;
        break;
      }
    }
  }
  return null;
}

/** The position after the closing quote of the string that opens at `start`. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index + 1;
}

function pathOf(frames: readonly Frame[]): string {
  return frames
    .map(({ keys, at }) => (keys === null ? `[${at}]` : `.${at}`))
    .join('')
    .replace(/^\./, '');
}
