/**
 * The language of an answer is that of the user's text, or VS Code's display language if the prompt has no text from
 * the user. Code, and what becomes part of a repository, is never affected.
 */

/**
 * Returns the English name of a language for the model, such as `German`, or null for English, which is the language of
 * the prompts, and for an unknown language.
 */
export function languageName(tag: string): string | null {
  if (/^en(?:-|$)/i.test(tag)) return null;
  try {
    return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag) ?? null;
  } catch {
    return null;
  }
}

const keepsCode = 'Code and its comments keep their language.';

/** Adds the language of the answer to a prompt without text from the user. `language` as returned by languageName(). */
export function inLanguage(prompt: string, language: string | null): string {
  return language === null ? prompt : `${prompt} Answer in ${language}. ${keepsCode}`;
}

/** Adds the language of the answer to a prompt that is followed by text from the user. */
export function inLanguageOfWords(prompt: string): string {
  return `${prompt} Answer in the language of the user's words below. ${keepsCode}`;
}
