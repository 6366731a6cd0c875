import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Files } from '../task.ts';

/** The folder of a task in the workspace, and all that must not change around it. */
export class TaskFolder {
  readonly #workspace: string;
  /** The path of the folder in the workspace, with a slash; empty if the workspace itself is the folder. */
  readonly prefix: string;

  constructor(workspace: string, prefix: string) {
    this.#workspace = workspace;
    this.prefix = prefix;
  }

  path(name: string): string {
    return name.startsWith('/') ? join(this.#workspace, name.slice(1)) : join(this.#workspace, this.prefix, name);
  }

  put(files: Files): void {
    for (const [name, content] of Object.entries(files)) {
      const path = this.path(name);
      if (content === null) rmSync(path);
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    }
  }

  /** Everything in the workspace and beside it that a task could reach: the bytes of each file, and folders. */
  now(): ReadonlyMap<string, string> {
    return new Map([this.#workspace, this.#outside].flatMap((root) => [...this.#below(root)]));
  }

  get #outside(): string {
    return join(this.#workspace, '../outside');
  }

  *#below(folder: string): Generator<[string, string]> {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o111) === 0 ? '' : 'executable ';
      const shown = relative(this.#workspace, path);
      if (stat.isSymbolicLink()) yield [shown, `link to ${readlinkSync(path)}`];
      else if (stat.isDirectory()) {
        yield [shown, 'folder'];
        yield* this.#below(path);
      } else yield [shown, mode + readFileSync(path).toString('latin1')];
    }
  }

  /** A state with these files changed. Folders come and go with their files. */
  with(state: ReadonlyMap<string, string>, files: Files): ReadonlyMap<string, string> {
    const next = new Map([...state].filter(([, content]) => content !== 'folder'));
    for (const [name, content] of Object.entries(files)) {
      const path = relative(this.#workspace, this.path(name));
      const mode = state.get(path)?.startsWith('executable ') ? 'executable ' : '';
      if (content === null) next.delete(path);
      else next.set(path, mode + Buffer.from(content).toString('latin1'));
    }
    return next;
  }

  remove(): void {
    for (const root of [this.#workspace, this.#outside]) {
      if (!existsSync(root)) continue;
      for (const name of readdirSync(root)) {
        // The folders of a workspace of several must stay.
        const path = join(root, name);
        if (root === this.#workspace && this.prefix === '' && lstatSync(path).isDirectory()) {
          for (const inside of readdirSync(path)) rmSync(join(path, inside), { recursive: true, force: true });
        } else if (!name.endsWith('.code-workspace')) rmSync(path, { recursive: true, force: true });
      }
    }
  }
}

/** What differs between two states of files, in words; folders that only hold files are not compared. */
export function differences(
  expected: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): readonly string[] {
  const files = (state: ReadonlyMap<string, string>) => [...state].filter(([, content]) => content !== 'folder');
  const one = new Map(files(expected));
  const other = new Map(files(found));
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((path) => {
    const [wanted, is] = [one.get(path), other.get(path)];
    if (wanted === is) return [];
    if (wanted === undefined) return [`${path} is there: ${shortened(is ?? '')}`];
    if (is === undefined) return [`${path} is gone`];
    return [`${path} differs at ${firstDifference(wanted, is)}`];
  });
}

/** The number of bytes in files that differ. */
export function bytesDiffering(expected: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): number {
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((path) => expected.get(path) !== found.get(path))
    .reduce((sum, path) => sum + Math.max(1, found.get(path)?.length ?? 0), 0);
}

function firstDifference(wanted: string, is: string): string {
  let at = 0;
  while (at < wanted.length && wanted[at] === is[at]) at += 1;
  const line = wanted.slice(0, at).split('\n').length;
  return `line ${line}: ${shortened(wanted.slice(at))} is expected, ${shortened(is.slice(at))} is there`;
}

function shortened(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
