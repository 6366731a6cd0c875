import type { Files } from '../../src/features/edits/common/writeChanges.ts';

/** Files in memory, by path, that keep their byte order mark and their line endings, as VS Code does. */
export class MemoryFiles implements Files<string> {
  readonly texts: Map<string, string>;
  /** The paths of all that was written, renamed, deleted or restored, in order. */
  readonly written: string[] = [];
  /** Throws instead of the write with this number, counted from 0, which is done in half. */
  failsAt = Number.POSITIVE_INFINITY;

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = new Map(Object.entries(texts));
  }

  async lines(path: string): Promise<readonly string[] | null> {
    return this.linesNow(path);
  }

  linesNow(path: string): readonly string[] | null {
    const text = this.texts.get(path);
    return text === undefined ? null : text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  }

  async keep(path: string): Promise<string | null> {
    return this.texts.get(path) ?? null;
  }

  async digest(path: string): Promise<string | null> {
    return this.texts.get(path) ?? null;
  }

  async watch(path: string): Promise<() => Promise<boolean>> {
    const before = this.texts.get(path);
    return async () => this.texts.get(path) === before;
  }

  async write(path: string, lines: readonly string[], before: readonly string[] | null): Promise<void> {
    const old = this.texts.get(path) ?? '';
    if (this.linesNow(path)?.join('\n') !== before?.join('\n')) throw new Error('changed');
    const mark = old.startsWith('\uFEFF') ? '\uFEFF' : '';
    const text = mark + lines.join(/\r\n/.test(old) ? '\r\n' : '\n');
    const fails = this.written.length >= this.failsAt;
    this.written.push(path);
    this.texts.set(path, fails ? text.slice(0, text.length / 2) : text);
    if (fails) throw new Error('disk full');
  }

  async rename(from: string, to: string): Promise<void> {
    const text = this.texts.get(from);
    if (text === undefined || this.texts.has(to)) throw new Error('cannot rename');
    this.#note(from, to);
    this.texts.delete(from);
    this.texts.set(to, text);
  }

  async delete(path: string): Promise<void> {
    this.#note(path);
    if (!this.texts.delete(path)) throw new Error('not there');
  }

  async restore(path: string, text: string | null): Promise<void> {
    this.written.push(path);
    if (text === null) this.texts.delete(path);
    else this.texts.set(path, text);
  }

  async settle(): Promise<void> {}

  #note(...paths: readonly string[]): void {
    const fails = this.written.length >= this.failsAt;
    for (const path of paths) this.written.push(path);
    if (fails) throw new Error('disk full');
  }
}
