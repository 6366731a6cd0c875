import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import * as z from 'zod/mini';
import { isObject } from '../../../client/answer/answerShape.ts';
import { hiddenCharacters } from '../../../session/prompts/hiddenText.ts';

/** The system whose part of a task applies. */
export type TaskSystem = 'windows' | 'osx' | 'linux';

/** A task of a tasks.json file as it is run. */
export interface TaskCommand {
  /** Whether a shell runs the command line, or the program is started by itself. */
  readonly type: 'shell' | 'process';
  readonly command: string;
  readonly args: readonly string[];
  /** The folder that it runs in, as the file has it; undefined for the workspace folder. */
  readonly cwd?: string;
  /** The variables that the task sets. */
  readonly env: Readonly<Record<string, string>>;
}

/** The reason why a task cannot be run. */
export type TaskProblem =
  | 'too-large'
  | 'broken'
  | 'for-all-tasks'
  | 'no-such-task'
  | 'several'
  | 'wrong-type'
  | 'depends'
  | 'background'
  | 'own-shell'
  | 'misfit'
  | 'variable'
  | 'hidden'
  | 'too-long';

/** The maximum length of a tasks.json file in characters. */
export const maxTaskFile = 1_000_000;
/** The maximum length of all texts of a task, in characters: the user reads all of them. */
const maxTask = 4_000;
const maxLines = 20;

/** The keys of settings for all tasks of a file. They are not read, so a file with any of them is refused. */
const settingsForAll = ['command', 'args', 'options', 'type', 'isBackground', 'windows', 'osx', 'linux'];

const texts = z.array(z.string()).check(z.maxLength(200));
const part = z.object({
  type: z.optional(z.string()),
  command: z.optional(z.string()),
  args: z.optional(texts),
  options: z.optional(
    z.object({
      cwd: z.optional(z.string()),
      env: z.optional(z.record(z.string(), z.string())),
      shell: z.optional(z.unknown()),
    }),
  ),
});
const task = z.extend(part, {
  dependsOn: z.optional(z.unknown()),
  isBackground: z.optional(z.unknown()),
  windows: z.optional(part),
  osx: z.optional(part),
  linux: z.optional(part),
});

/** Reads the task of this name in the text of a tasks.json file. The text may be anything. */
export function taskIn(
  text: string,
  name: string,
  system: TaskSystem,
  variables: Readonly<Record<string, string>>,
): TaskCommand | TaskProblem {
  if (text.length > maxTaskFile) return 'too-large';
  const file = parsed(text);
  if (file === undefined || !Array.isArray(file.tasks)) return 'broken';
  if (settingsForAll.some((key) => Object.hasOwn(file, key))) return 'for-all-tasks';
  const [found, ...more] = file.tasks.filter((one: unknown) => isObject(one) && one.label === name);
  if (found === undefined) return 'no-such-task';
  if (more.length > 0) return 'several';
  const read = task.safeParse(found);
  return read.success ? commandOf(read.data, system, variables) : 'misfit';
}

function commandOf(
  { dependsOn, isBackground, ...whole }: z.infer<typeof task>,
  system: TaskSystem,
  variables: Readonly<Record<string, string>>,
): TaskCommand | TaskProblem {
  const own = whole[system];
  const options = { ...whole.options, ...own?.options };
  const { type, command, args = [] } = { ...whole, ...own };
  const env = { ...whole.options?.env, ...own?.options?.env };
  if (dependsOn !== undefined) return 'depends';
  if (isBackground !== undefined && isBackground !== false) return 'background';
  if (type !== 'shell' && type !== 'process') return 'wrong-type';
  if (options.shell !== undefined) return 'own-shell';
  if (command === undefined || command.trim() === '') return 'misfit';
  const all = [command, ...args, options.cwd ?? '', ...Object.entries(env).flat()];
  if (all.some((one) => one.includes('\0')) || Object.keys(env).some((key) => /[=\s]/.test(key))) return 'misfit';
  // The end of a command must not be out of sight.
  if (all.join('').length > maxTask || all.some((one) => /\s{20}/.test(one) || one.split('\n').length > maxLines))
    return 'too-long';
  if (hiddenCharacters(all.flatMap((one) => one.split('\n'))).length > 0) return 'hidden';
  const known = (one: string): string => withVariables(one, variables);
  if (all.some((one) => known(one) === unknownVariable)) return 'variable';
  return {
    type,
    command: known(command),
    args: args.map(known),
    ...(options.cwd === undefined ? {} : { cwd: known(options.cwd) }),
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, known(value)])),
  };
}

/** Stands for a text with a variable that has no value here. No other text has a null character. */
const unknownVariable = '\0';

function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  let isKnown = true;
  const whole = text.replace(/\$\{([^}]{0,200})\}?/g, (all, name: string) => {
    isKnown &&= all.endsWith('}') && Object.hasOwn(variables, name);
    return variables[name] ?? '';
  });
  return isKnown ? whole : unknownVariable;
}

function parsed(text: string): Record<string, unknown> | undefined {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
    const value: unknown = root === undefined || errors.length > 0 ? undefined : getNodeValue(root);
    return isObject(value) ? value : undefined;
  } catch {
    // The text is nested too deeply to be parsed.
    return undefined;
  }
}

/**
 * Returns the command line of a task as a shell gets it, and as the user sees it. As in VS Code, a shell gets a command without
 * arguments as it is, and parts with spaces in quotation marks.
 */
export function commandLine({ type, command, args }: TaskCommand, system: TaskSystem): string {
  if (type === 'shell' && args.length === 0) return command;
  const isQuoted = (text: string): boolean => /^(["'])[\s\S]*\1$/.test(text) && text.length > 1;
  const needsQuotes = type === 'shell' ? (text: string) => / /.test(text) && !isQuoted(text) : isUnclear;
  const quoted = (text: string): string =>
    system === 'windows' ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;
  return [command, ...args].map((text) => (needsQuotes(text) ? quoted(text) : text)).join(' ');
}

/** Whether a reader could not tell where an argument begins and ends. */
function isUnclear(text: string): boolean {
  return text === '' || /[^\w@%+=:,./\\-]/.test(text);
}
