/**
 * Which language an answer is in: that of the user's words, or VS Code's display language where the prompt has no words of
 * the user. Code, and what becomes part of a repository, is never affected.
 */

/** The English name of a language, such as `German`, for the model; null for English, in which the prompts are, and if it is unknown. */
export function languageName(tag: string): string | null {
  if (/^en(?:-|$)/i.test(tag)) return null;
  try {
    return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag) ?? null;
  } catch {
    return null;
  }
}

const keepsCode = 'Code and its comments keep their language.';

/** Follows a prompt that has no words of the user. `language` as returned by languageName(). */
export function inLanguage(prompt: string, language: string | null): string {
  return language === null ? prompt : `${prompt} Answer in ${language}. ${keepsCode}`;
}

/** Follows a prompt that the words of the user come after. */
export function inLanguageOfWords(prompt: string): string {
  return `${prompt} Answer in the language of the user's words below. ${keepsCode}`;
}
