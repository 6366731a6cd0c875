/** What a file was at some time. */
export interface FileState {
  /** Changes with its content, but for changes within the same few milliseconds. */
  readonly stamp: string;
  /** It was not changed in the last seconds: its stamp tells it from every later state. */
  readonly isSettled: boolean;
  readonly bytes: number;
}

/** How ignore files are reached; paths have `/` between names and begin with one. */
export interface IgnoreDisk {
  /** null where there is no file. Rejects where there is one that cannot be looked at. */
  stat(path: string, lookups: Lookups): Promise<FileState | null>;
  read(path: string): Promise<Uint8Array>;
}

/** What is known within one request: each thing is looked up once, however many files are asked about. */
export type Lookups = Map<string, Promise<unknown>>;

/** What `look` finds, looked up once a request. A key belongs to one type of thing. */
export function once<T>(lookups: Lookups, key: string, look: () => Promise<T>): Promise<T> {
  const known = lookups.get(key);
  if (known !== undefined) return known as Promise<T>;
  const found = look();
  lookups.set(key, found);
  return found;
}
