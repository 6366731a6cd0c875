/**
 * Whether VS Code's command palette lists a title for what the user typed. As in `WORD_FILTER` of VS Code's
 * commandsQuickAccess.ts: the beginning, parts of words in order, or any part of the title.
 */
export function paletteFinds(typed: string, title: string): boolean {
  const [word, target] = [typed.toLowerCase(), title.toLowerCase()];
  return target.includes(word) || matchesWords(word, target);
}

/** As `matchesWords` of VS Code's filters.ts: each part of the typed text begins at the beginning of a word. */
function matchesWords(word: string, target: string): boolean {
  for (let start = 0; start < target.length; start = nextWord(target, start + 1)) {
    if (matchesFrom(word, target, 0, start)) return true;
  }
  return false;
}

function matchesFrom(word: string, target: string, at: number, targetAt: number): boolean {
  if (at === word.length) return true;
  if (targetAt >= target.length || !matchesCharacter(word[at], target[targetAt])) return false;
  let next = targetAt + 1;
  if (matchesFrom(word, target, at + 1, next)) return true;
  for (next = nextWord(target, next); next < target.length; next = nextWord(target, next + 1)) {
    if (matchesFrom(word, target, at + 1, next)) return true;
  }
  return false;
}

/** Separators are equal to each other. */
function matchesCharacter(one: string | undefined, other: string | undefined): boolean {
  return one === other || (isSeparator(one) && isSeparator(other));
}

function nextWord(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (isSeparator(text[at]) || (at > 0 && isSeparator(text[at - 1]))) return at;
  }
  return text.length;
}

function isSeparator(character: string | undefined): boolean {
  return character !== undefined && /[\s()[\]{}<>`'"\-/;:,.?!]/.test(character);
}
