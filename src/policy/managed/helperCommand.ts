import { isOrigin } from './isOrigin.ts';
/** A program that prints an API key: `credentials` of the managed policy, or `svc.credentialHelper` of the user. */
export interface HelperCommand {
  /** The absolute path of the program, and its arguments. */
  readonly command: readonly [program: string, ...args: readonly string[]];
  /** The time limit of the program, in seconds; default {@link defaultTimeoutSeconds}. */
  readonly timeoutSeconds?: number;
  /** The only origin that the program is asked about; without it, any address of the settings. */
  readonly origin?: string;
}

export const helperFields = ['command', 'timeoutSeconds', 'origin'] as const;
export const defaultTimeoutSeconds = 20;
export const maxTimeoutSeconds = 300;

/** Returns the first field that is not allowed, `''` if the value is not an object, or null if nothing is wrong. */
export function wrongHelperField(raw: unknown): string | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return '';
  const { command, timeoutSeconds, origin, ...others } = raw as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others);
  if (other !== undefined) return other;
  if (!isCommand(command)) return 'command';
  if (timeoutSeconds !== undefined && !isTimeout(timeoutSeconds)) return 'timeoutSeconds';
  return origin === undefined || isOrigin(origin) ? null : 'origin';
}

/** Batch files are not allowed: Windows starts them in a shell, which reads the arguments as commands. */
function isCommand(value: unknown): value is HelperCommand['command'] {
  if (!Array.isArray(value) || value.length > 100 || !value.every(isArgument)) return false;
  const [program = ''] = value;
  return /^(\/|[A-Za-z]:[\\/])/.test(program) && !/\.(cmd|bat)[ .]*$/i.test(program);
}

function isArgument(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 4_096 && !value.includes('\0');
}

function isTimeout(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= maxTimeoutSeconds;
}
