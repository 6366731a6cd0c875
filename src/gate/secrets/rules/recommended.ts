import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { minTokenLength } from '../longWords.ts';
import { matcher, windowEnds } from '../matches.ts';
import type { SecretRule, SecretSpan } from '../span.ts';

/** Rules of the preset that are not run, each with the reason. */
const leftOut = new Map([
  ['basicauth', 'tokens.ts masks the password alone, and of more kinds of address'],
  ['database-connection-string', 'tokens.ts masks the password alone, and of more kinds of address'],
  ['privatekey', 'privateKey.ts finds the same, and keys that are cut off or in a comment'],
  ['github', 'its pattern for installation tokens looks at up to 12,000 characters from each beginning; see tokens.ts'],
  ['npm', 'its pattern for x-oauth-basic looks at 256 characters from each https://; see tokens.ts'],
  ['gcp', 'reads files; the private key in its JSON is found as one'],
  ['gitlab', 'from each of overlapping beginnings it looks at hundreds of characters; see tokens.ts'],
  ['figma', 'the same'],
  ['linear', 'the same'],
  ['sendgrid', 'the same'],
  ['filter-comments', 'a comment in a file would switch every rule off'],
]);

interface Report {
  readonly message: { readonly messageId: string; readonly data: unknown };
  readonly range: readonly [number, number];
}

/** The part of secretlint's contexts that a rule uses; the types of its core require much more. */
interface Scanner {
  readonly meta: { readonly id: string };
  /** The messages by the ids of the scanner's reports. */
  readonly messages: Readonly<Record<string, unknown>>;
  create(context: unknown, options: object): { file?(source: unknown): unknown };
}

const idStart = '@secretlint/secretlint-rule-';
const scanners = (rules as unknown as readonly Scanner[]).filter(
  ({ meta }) => !leftOut.has(meta.id.slice(idStart.length)),
);

const ruleNames: ReadonlyMap<string, string> = new Map(
  scanners.flatMap(({ messages }) => Object.keys(messages).map((id) => [id, nameOf(id)])),
);

/** The rules whose match is not in one word: they find a key after its name, with quotes and spaces between them. */
const notInWord = ['aws'];

/**
 * secretlint's recommended rules: tokens of some twenty services, by their prefixes. The rules run without secretlint's
 * core, which drops a byte order mark and then shifts all offsets, takes quadratic time in the number of findings, and
 * leaks its profiler's marks on the `performance` object that all extensions share.
 */
export const recommendedRules: readonly SecretRule[] = [true, false].map((isInWord) =>
  ruleOf(
    isInWord,
    scanners.filter(({ meta }) => notInWord.includes(meta.id.slice(idStart.length)) !== isInWord),
  ),
);

function ruleOf(isInWord: boolean, scanners: readonly Scanner[]): SecretRule {
  return {
    names: scanners.flatMap(({ messages }) => Object.keys(messages).map(nameOf)),
    isInWord,
    *find(text) {
      const spaced = yield* withoutEscapes(text);
      for (const scanner of scanners) {
        for (const span of findWith(scanner, spaced)) {
          // Only words of that length are searched, so a shorter match would depend on what is around it.
          if (span === null || !isInWord || span.end - span.start >= minTokenLength) yield span;
        }
      }
    },
  };
}

function* findWith(scanner: Scanner, text: string): Generator<SecretSpan | null> {
  const found: SecretSpan[] = [];
  const { file } = scanner.create(
    {
      sharedOptions: {},
      createTranslator: () => (messageId: string, data: unknown) => ({ message: '', messageId, data }),
      ignore: () => {},
      report: ({ message, range }: Report) => {
        const span = spanOf(text, message, range);
        if (span !== null) found.push(span);
      },
    },
    {},
  );
  // These rules only request the matches of patterns in a text. They get the matches of one window at a time.
  const matchers = new Map<string, ReturnType<typeof matcher>>();
  for (const to of windowEnds(text)) {
    const matchAll = (pattern: RegExp) => {
      const matches = matchers.get(pattern.source) ?? matcher(text, pattern);
      matchers.set(pattern.source, matches);
      return matches(to);
    };
    file?.({ content: { matchAll }, filePath: undefined, contentType: 'text', ext: '' });
    yield* found.splice(0);
    yield null;
  }
}

/** Replaces `\n` and `%3D` with spaces: their letters do not belong to the next word. */
function* withoutEscapes(text: string): Generator<null, string> {
  const parts: string[] = [];
  let at = 0;
  const escapes = matcher(text, /\\[bfnrt]|\\u[0-9a-f]{4}|%[0-9a-f]{2}/gi);
  for (const to of windowEnds(text)) {
    for (const { index, 0: coded } of escapes(to)) {
      parts.push(text.slice(at, index), ' '.repeat(coded.length));
      at = index + coded.length;
    }
    yield null;
  }
  return parts.join('') + text.slice(at);
}

function spanOf(
  text: string,
  { messageId, data }: Report['message'],
  [start, end]: Report['range'],
): SecretSpan | null {
  if (end <= start) return null;
  const rule = ruleNames.get(messageId) ?? nameOf(messageId);
  // The range of an AWS secret key has the key's length but begins at its name, so that most of the key would stay.
  const key = messageId === 'AWSSecretAccessKey' && isRecord(data) ? data.KEY : undefined;
  if (typeof key !== 'string') return { rule, start, end };
  const at = text.indexOf(key, start);
  return at < 0 ? { rule, start, end } : { rule, start: at, end: at + key.length };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Maps `GITHUB_TOKEN` to github-token, and `AWSSecretAccessKey` to aws-secret-access-key. */
function nameOf(messageId: string): string {
  return messageId
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
