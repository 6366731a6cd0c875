// Where the demo keeps its files: the sample workspace, and VS Code's data with the installed extensions. Not in the clone: its
// .gitignore would exclude the sample from every request.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

/** What the demo writes into its folder, and checks before it uses or removes one. */
interface Mark {
  readonly madeBy: 'the demo of Svc Coder';
  /** The clone that the folder belongs to. */
  readonly clone: string;
  /** The number of times that it was made again. */
  readonly count: number;
}

export interface Place {
  readonly folder: string;
  /**
   * The wanted port of its VS Code. A browser keeps the state of a VS Code by its address: another clone, and a fresh start, must
   * not find the windows and the keys of this one.
   */
  readonly port: number;
}

const markName = '.svc-coder-demo.json';

/** The user's cache folder, and the temporary folder for users who cannot write there. */
function parents(env: NodeJS.ProcessEnv): readonly string[] {
  const { XDG_CACHE_HOME = '' } = env;
  // The specification of these variables says that a relative path is ignored.
  const cache = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache');
  return [join(cache, 'svc-coder-demo'), join(tmpdir(), `svc-coder-demo-${userInfo().uid}`)];
}

/** The same name for the same clone, and another one for each other clone, even if both have the same name. */
function nameFor(clone: string): string {
  return `${basename(clone)}-${digestOf(clone).toString('hex', 0, 4)}`;
}

/** Below the ports that Linux gives to outgoing connections. */
function portFor(clone: string, count: number): number {
  return 20_000 + ((digestOf(clone).readUInt32BE() + count) % 10_000);
}

function digestOf(clone: string): Buffer {
  return createHash('sha256').update(clone).digest();
}

/**
 * The demo's folder of a clone, which is created if it is missing. With `isFresh`, an existing one is removed before. Throws if
 * something else is in its place: a link, the folder of another user, or one that the demo did not make.
 */
export function demoPlace(clonePath: string, isFresh: boolean, env: NodeJS.ProcessEnv = process.env): Place {
  const clone = realpathSync(clonePath);
  const refused: unknown[] = [];
  for (const parent of parents(env)) {
    try {
      mkdirSync(parent, { recursive: true, mode: 0o700 });
      return placeIn(join(parent, nameFor(clone)), parent, clone, isFresh);
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      refused.push(error);
    }
  }
  throw new AggregateError(refused, 'The demo can write neither to the cache folder nor to the temporary folder.');
}

function placeIn(folder: string, parent: string, clone: string, isFresh: boolean): Place {
  requireOwn(parent);
  const count = countOf(folder, clone);
  if (count !== null && !isFresh) {
    // Throws if a disk has become read-only.
    writeMark(folder, clone, count);
    return { folder, port: portFor(clone, count) };
  }
  if (count === null) mkdirSync(folder, { mode: 0o700 });
  else empty(folder);
  const next = (count ?? 0) + 1;
  writeMark(folder, clone, next);
  return { folder, port: portFor(clone, next) };
}

/** Removes links, and not what they lead to. Keeps the mark, so that the next start can go on where this one is interrupted. */
function empty(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name !== markName) rmSync(join(folder, name), { recursive: true, maxRetries: 5 });
  }
}

/** null if there is nothing. Throws if what is there was not made by the demo of this clone. */
function countOf(folder: string, clone: string): number | null {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return null;
  requireOwn(folder);
  const file = join(folder, markName);
  const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const mark = isFile ? readMark(file) : undefined;
  if (mark?.clone !== clone) {
    throw new Error(`${folder} was not made by the demo of this clone. Move it away, then start the demo again.`);
  }
  return mark.count;
}

function readMark(file: string): Mark | undefined {
  try {
    const { madeBy, clone, count }: Partial<Mark> = JSON.parse(readFileSync(file, 'utf8'));
    if (madeBy !== 'the demo of Svc Coder' || typeof clone !== 'string' || !Number.isSafeInteger(count))
      return undefined;
    return { madeBy, clone, count: Number(count) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function writeMark(folder: string, clone: string, count: number): void {
  const mark: Mark = { madeBy: 'the demo of Svc Coder', clone, count };
  writeFileSync(join(folder, markName), JSON.stringify(mark));
}

/** In the temporary folder, any user can create a folder or a link with a known name. */
function requireOwn(folder: string): void {
  const { uid } = userInfo();
  const found = lstatSync(folder);
  if (!found.isDirectory() || (uid !== -1 && found.uid !== uid) || (found.mode & 0o022) !== 0) {
    throw new Error(`${folder} is not a folder that only you can write to. Move it away, then start the demo again.`);
  }
}

function isUnwritable(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'ENOENT', 'EEXIST'].includes(code);
}
