declare const own: unique symbol;

/**
 * Text of our own in the result of a tool. Text of a file, a tool or a service is not assignable: it is an attachment,
 * which the maker has made.
 */
export type OwnText = string & { readonly [own]: true };

/** A number, own text, or one of the strings that a type lists: only a record of any other strings may be empty. */
type Own<V> = V extends number | OwnText
  ? V
  : V extends string
    ? Record<never, 1> extends Record<V, 1>
      ? never
      : V
    : never;

/** Own text, as a template: its literals, with numbers and other own text in it. */
export function ownText<const V extends readonly unknown[]>(
  words: TemplateStringsArray,
  ...values: { readonly [I in keyof V]: Own<V[I]> }
): OwnText {
  return asOwn(words.map((word, index) => `${word}${values[index] ?? ''}`).join(''));
}

/** Joins texts, with a literal between them. */
export function joinOwn(texts: readonly OwnText[], between: '\n' | ', '): OwnText {
  return asOwn(texts.join(between));
}

/** Only for the store, which reads back what it has written; the linter enforces this. */
export function asOwn(text: string): OwnText {
  return text as OwnText;
}
