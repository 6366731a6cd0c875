import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type UriArgument, wrongArgument } from './platform/commands/wrongArgument.ts';
import { compliance, complianceFields } from './policy/compliance/compliance.ts';

const t = vscode.l10n.t;

/** The parts of a URI, as `vscode.Uri` and its JSON have them. */
const uriParts = z.object({
  scheme: z.string().check(z.minLength(1), z.maxLength(100)),
  authority: z.string().check(z.maxLength(1_000)),
  path: z.string().check(z.maxLength(8_192)),
  query: z.string().check(z.maxLength(8_192)),
  fragment: z.string().check(z.maxLength(8_192)),
});

const uri: z.ZodMiniType<UriArgument> = z.union([z.string().check(z.minLength(1), z.maxLength(8_192)), uriParts]);

const uris = z.pipe(
  // Checked before its items.
  z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.length <= 1_000),
  z.array(uri),
);

const name = z.string().check(z.maxLength(100));
const words = z.string().check(z.maxLength(1_000_000));
const line = z.int().check(z.minimum(0), z.maximum(10_000_000));
/** Accepts and drops what a VS Code menu passes in addition, such as the editor group. */
const fromMenu = z.pipe(
  z.object({ groupId: z.number() }),
  z.transform(() => undefined),
);

const nothing = [] as const;
const instruction = z.strictObject({ instruction: z.optional(words) });
const edit = z.strictObject({
  instruction: z.optional(words),
  uri: z.optional(uri),
  start: z.optional(line),
  end: z.optional(line),
});
const review = z.strictObject({
  frameworks: z.optional(z.array(name).check(z.maxLength(100))),
  include: z.optional(z.string().check(z.maxLength(1_000))),
  confirmed: z.optional(z.boolean()),
});
const finding = { uri, id: z.string().check(z.maxLength(1_000)) };

function exported<const Format extends string>(...formats: readonly [Format, ...Format[]]) {
  return z.strictObject({ format: z.optional(z.enum(formats)), target: z.optional(uri) });
}

/**
 * The parameters of each command of package.json, in order. Every argument is optional. An editor menu passes the URI
 * of its document first; arguments that a command does not take are dropped.
 */
export const commandArguments = {
  'svc.openChat': [z.strictObject({ prompt: z.optional(words) })],
  'svc.newChat': nothing,
  'svc.showHistory': nothing,
  'svc.findInChat': nothing,
  'svc.exportConversation': [exported('markdown', 'json')],
  'svc.attach': [uri, uris],
  'svc.explainCode': [uri],
  'svc.generateCode': [z.union([uri, instruction])],
  'svc.reviewFile': [z.union([uri, review])],
  'svc.reviewChanges': [review],
  'svc.reviewWorkspace': [review],
  'svc.showReview': nothing,
  'svc.exportReview': [exported('sarif', 'markdown')],
  'svc.clearReview': nothing,
  'svc.fixFinding': [z.strictObject(finding)],
  'svc.explainFinding': [z.strictObject(finding)],
  'svc.suppressFinding': [z.strictObject({ ...finding, reason: z.optional(z.string().check(z.maxLength(2_000))) })],
  'svc.editCode': [z.union([uri, edit])],
  'svc.fixProblems': [z.union([uri, edit])],
  'svc.documentCode': [z.union([uri, edit])],
  'svc.generateTests': [z.union([uri, edit])],
  // Not strict: the source control menu passes everything that it knows of a repository.
  'svc.generateCommitMessage': [z.object({ rootUri: z.optional(uri) })],
  'svc.addCommitTrailers': [z.object({ rootUri: z.optional(uri) })],
  'svc.showProvenance': [uri],
  'svc.explainTerminal': nothing,
  'svc.acceptProposal': [uri],
  'svc.acceptAll': [uri],
  'svc.rejectAll': [uri],
  'svc.rejectProposal': [uri],
  'svc.acceptHunk': [uri, z.union([line, fromMenu]), line],
  'svc.rejectHunk': [uri, z.union([line, fromMenu]), line],
  'svc.resumeInlineCompletions': nothing,
  'svc.toggleInlineCompletions': nothing,
  'svc.useInVSCodeChat': nothing,
  'svc.setApiKey': [z.strictObject({ source: z.optional(z.literal('environment')) })],
  'svc.removeApiKey': nothing,
  'svc.selectConnection': nothing,
  'svc.checkHealth': nothing,
  'svc.validateToken': nothing,
  'svc.diagnoseConnection': nothing,
  'svc.selectModel': nothing,
  'svc.chooseTools': nothing,
  'svc.showPosture': nothing,
  'svc.changeComplianceSetting': [
    z.strictObject({
      setting: z.optional(z.enum(complianceFields.map((field) => compliance[field].setting))),
      value: z.optional(z.union([z.null(), z.boolean(), name, z.array(name).check(z.maxLength(100))])),
      scope: z.optional(z.enum(['user', 'workspace', 'folder'])),
      folder: z.optional(uri),
    }),
  ],
  'svc.applyAll': nothing,
  'svc.previewRequest': nothing,
  'svc.showPolicy': nothing,
  'svc.auditLog.open': nothing,
  'svc.auditLog.verify': nothing,
  'svc.auditLog.export': [exported('evidence', 'jsonl', 'csv')],
  'svc.auditLog.startLedger': nothing,
  'svc.purgeLocalData': [z.strictObject({ keys: z.optional(z.boolean()), audit: z.optional(z.boolean()) })],
  'svc.retryNow': nothing,
  'svc.showLog': nothing,
  'svc.showFirstSteps': nothing,
  'svc.showAccessibilityHelp': nothing,
  'svc.openSettings': nothing,
} as const satisfies Record<string, readonly z.ZodMiniType[]>;

export type CommandName = keyof typeof commandArguments;

type Read<Schemas extends readonly z.ZodMiniType[]> = {
  -readonly [Index in keyof Schemas]: z.output<Schemas[Index]> | undefined;
};

/** The arguments of a command after parsing: copies of what was passed, each of which may be absent. */
export type ArgumentsOf<Name extends CommandName> = Read<(typeof commandArguments)[Name]>;

/** Parses the arguments of a call. Throws a ServiceError (`request`, `wrong-argument`) with the fault as its reason. */
export function readArguments<Name extends CommandName>(name: Name, given: readonly unknown[]): ArgumentsOf<Name> {
  const schemas: readonly z.ZodMiniType[] = commandArguments[name];
  return schemas.map((schema, index) => readArgument(schema, given[index], index + 1)) as ArgumentsOf<Name>;
}

function readArgument(schema: z.ZodMiniType, value: unknown, number: number): unknown {
  // A keybinding without arguments passes null.
  if (value === undefined || value === null) return undefined;
  let read: ReturnType<typeof schema.safeParse>;
  try {
    read = schema.safeParse(value);
  } catch {
    // A getter or a proxy of the caller threw.
    throw wrongArgument(t('argument {0} cannot be read', number));
  }
  if (read.success) return read.data;
  throw wrongArgument(wordsOf(read.error.issues[0], [String(number)]));
}

type Issue = z.core.$ZodIssue;

/** The place of a fault and what is allowed there. Omits the passed value, which may be anything. */
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

/** The alternative that matches furthest, so that the error names the wrong key and not the whole value. */
function closest({ errors }: Extract<Issue, { readonly code: 'invalid_union' }>): Issue | undefined {
  const first = errors.map(([issue]) => issue).filter((issue) => issue !== undefined);
  return first.toSorted((a, b) => b.path.length - a.path.length).at(0);
}
