import assert from 'node:assert/strict';
import { exceptions } from '../../fuzz/readers/exceptions.ts';
import { exportedReaders, readersIn } from '../../fuzz/readers/exported.ts';
import { shapesOf } from '../../fuzz/readers/shapes.ts';
import { readers } from '../../fuzz/readers.ts';

describe('the readers of hostile text', () => {
  const listed = Object.entries(readers).flatMap(([file, one]) => Object.keys(one).map((name) => `${file}: ${name}`));
  const excepted = Object.values(exceptions).flat();

  it('are each in the list of the fuzz group, or an exception with a reason', () => {
    const all = exportedReaders();
    const known = new Set([...listed, ...excepted]);
    assert.deepEqual(
      all.filter((reader) => !known.has(reader)),
      [],
      'Add these to test/fuzz/readers, or to exceptions.ts there with a reason.',
    );
    const there = new Set(all);
    assert.deepEqual(
      [...known].filter((reader) => !there.has(reader)),
      [],
      'These are no longer exported.',
    );
    assert.deepEqual(
      excepted.filter((reader) => listed.includes(reader)),
      [],
    );
  });

  it('are found in a source', () => {
    const source = [
      'export function a(text: string): void {}',
      'export async function b(\n  one: number,\n  { two }: { readonly two: string },\n) {}',
      'export function* c<T extends object>(bytes: Uint8Array, work: (x: T) => void) {}',
      'export function d(count: number) { return (text: string) => text; }',
      'function e(text: string) {}',
      'export function f(texts: readonly string[]) {}',
    ];
    assert.deepEqual(readersIn(source.join('\n')), ['a', 'b', 'c', 'f']);
  });

  it('are each given at least 60 shapes', () => {
    assert.ok(shapesOf().length >= 60);
  });
});
