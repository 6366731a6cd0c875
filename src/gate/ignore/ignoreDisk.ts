/** The state of a file at some time. */
export interface FileState {
  /** Identifies the content, except for changes within the same few milliseconds. */
  readonly stamp: string;
  /** Whether the file was not changed in the last seconds: its stamp then differs from the stamp of every later state. */
  readonly isSettled: boolean;
  readonly bytes: number;
}

/** Access to ignore files; paths begin with `/` and use it as separator. */
export interface IgnoreDisk {
  /** Returns null if there is no file. Rejects if there is a file that cannot be examined. */
  stat(path: string, lookups: Lookups): Promise<FileState | null>;
  read(path: string): Promise<Uint8Array>;
  /** Whether a folder certainly has no entry of any of these names. Resolves to false if that is unknown, and does not reject. */
  certainlyLacks(folder: string, names: readonly string[], lookups: Lookups): Promise<boolean>;
}

/** A cache for one request: each item is looked up once, for any number of files. */
export type Lookups = Map<string, Promise<unknown>>;

/** Returns the result of `look`, which runs once per request. Each key must be used for only one type of item. */
export function once<T>(lookups: Lookups, key: string, look: () => Promise<T>): Promise<T> {
  const known = lookups.get(key);
  if (known !== undefined) return known as Promise<T>;
  const found = look();
  lookups.set(key, found);
  return found;
}
