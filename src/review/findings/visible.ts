import { isSeenInContext } from '../../util/text/joiners.ts';

/**
 * Characters that are invisible but affect terminals, editors or parsers: C0 and C1 control characters, bidirectional marks,
 * tags and fillers.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Returns text of the service as one visible line: folds white space to one blank and names invisible characters. */
export function visibleLine(text: string): string {
  return text
    .replace(/[\t\r\n\f\v ]+/g, ' ')
    .trim()
    .replace(invisible, unlessVisible);
}

/** Like visibleLine(), but for text of several lines, such as a suggested fix: line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, (found: string, at: number, all: string) =>
      found === '\n' || found === '\t' ? found : unlessVisible(found, at, all),
    );
}

/**
 * Returns the name of an invisible character, or the character itself if it is a joiner that shapes the letters or the emoji
 * around it.
 */
function unlessVisible(character: string, at: number, text: string): string {
  return isSeenInContext(text, at, character) ? character : nameOf(character);
}

function nameOf(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
