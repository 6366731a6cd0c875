import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type UriArgument, wrongArgument } from './wrongArgument.ts';

const t = vscode.l10n.t;

/** The parts of a URI, as `vscode.Uri` and its JSON have them. */
const uriParts = z.object({
  scheme: z.string().check(z.minLength(1), z.maxLength(100)),
  authority: z.string().check(z.maxLength(1_000)),
  path: z.string().check(z.maxLength(8_192)),
  query: z.string().check(z.maxLength(8_192)),
  fragment: z.string().check(z.maxLength(8_192)),
});

export const uri: z.ZodMiniType<UriArgument> = z.union([
  z.string().check(z.minLength(1), z.maxLength(8_192)),
  uriParts,
]);

export const uris = z.pipe(
  // The length of the list is checked before its items.
  z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.length <= 1_000),
  z.array(uri),
);

export const shortName = z.string().check(z.maxLength(100));
export const words = z.string().check(z.maxLength(1_000_000));
export const line = z.int().check(z.minimum(0), z.maximum(10_000_000));
/** Accepts and drops what a VS Code menu passes in addition, such as the editor group. */
export const fromMenu = z.pipe(
  z.object({ groupId: z.number() }),
  z.transform(() => undefined),
);

/** Returns the schema of the format and target of an export; the format is one of `formats`. */
export function exported<const Format extends string>(...formats: readonly [Format, ...Format[]]) {
  return z.strictObject({ format: z.optional(z.enum(formats)), target: z.optional(uri) });
}

/** The arguments of a command after parsing: copies of the passed values, each of which may be undefined. */
export type ArgumentsOf<Schemas extends readonly z.ZodMiniType[]> = {
  -readonly [Index in keyof Schemas]: z.output<Schemas[Index]> | undefined;
};

/**
 * Parses the arguments of a call. Every argument is optional, and additional arguments are ignored. Throws a ServiceError
 * (`request`, `wrong-argument`); its reason states the error.
 */
export function readArguments<const Schemas extends readonly z.ZodMiniType[]>(
  schemas: Schemas,
  given: readonly unknown[],
): ArgumentsOf<Schemas> {
  return schemas.map((schema, index) => readArgument(schema, given[index], index + 1)) as ArgumentsOf<Schemas>;
}

function readArgument(schema: z.ZodMiniType, value: unknown, number: number): unknown {
  // A keybinding without arguments passes null.
  if (value === undefined || value === null) return undefined;
  let read: ReturnType<typeof schema.safeParse>;
  try {
    read = schema.safeParse(value);
  } catch {
    // A getter or a proxy of the caller has thrown an error.
    throw wrongArgument(t('argument {0} cannot be read', number));
  }
  if (read.success) return read.data;
  throw wrongArgument(wordsOf(read.error.issues[0], [String(number)]));
}

type Issue = z.core.$ZodIssue;

/**
 * Returns a text that states where an argument is invalid and what is allowed there. It omits the passed value, which may be
 * anything.
 */
function wordsOf(issue: Issue | undefined, above: readonly string[]): string {
  const path = [...above, ...(issue?.path ?? []).map(String)];
  const where = path.join('.');
  switch (issue?.code) {
    case 'invalid_union':
      return wordsOf(closest(issue), path);
    case 'unrecognized_keys':
      return t('argument {0} has an unknown key', where);
    case 'invalid_type':
      return t('argument {0} must be of type {1}', where, issue.expected);
    case 'invalid_value':
      return t('argument {0} must be one of {1}', where, issue.values.map(String).join(', '));
    case 'too_big':
      return t('argument {0} is too large; the maximum is {1}', where, String(issue.maximum));
    case 'too_small':
      return t('argument {0} is too small; the minimum is {1}', where, String(issue.minimum));
    default:
      return t('argument {0} is invalid', where);
  }
}

/** Returns the issue of the alternative that matches best, so that the error names the wrong key and not the whole value. */
function closest({ errors }: Extract<Issue, { readonly code: 'invalid_union' }>): Issue | undefined {
  const first = errors.map(([issue]) => issue).filter((issue) => issue !== undefined);
  return first.toSorted((a, b) => b.path.length - a.path.length).at(0);
}
