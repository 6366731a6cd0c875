/**
 * Returns the complete objects of the array `"findings"` in a text that is not valid JSON, at most `limit`. Reads each
 * character once; an object that does not parse becomes null. `isCut`: the text ends inside the array.
 */
export function wholeObjects(
  text: string,
  limit: number,
): { readonly objects: readonly unknown[]; readonly isCut: boolean } {
  const objects: unknown[] = [];
  const opening = /"findings"\s*:\s*\[/.exec(text);
  // Truncated before the array began: it was going to be JSON.
  if (opening === null)
    return { objects, isCut: /^\s*(`{3,}\s*(json\s*)?)?\{\s*("[a-z]*)?("\s*(:\s*)?)?$/i.test(text) };
  let depth = 0;
  let isInString = false;
  let start = 0;
  for (let index = opening.index + opening[0].length; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (character === '{' || character === '[') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (character === '}' || character === ']') {
      if (depth === 0) return { objects, isCut: false };
      depth -= 1;
      if (depth === 0 && objects.length < limit) {
        try {
          objects.push(JSON.parse(text.slice(start, index + 1)));
        } catch {
          objects.push(null);
        }
      }
    }
  }
  return { objects, isCut: true };
}
