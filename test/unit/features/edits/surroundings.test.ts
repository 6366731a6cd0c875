import assert from 'node:assert/strict';
import { surroundingsOf } from '../../../../src/features/edits/vscode/placing/surroundings.ts';

const file = Array.from({ length: 400 }, (_, line) => `line ${line}`);

describe('the lines that go along with an edit', () => {
  it('are the imports and the lines around', () => {
    assert.deepEqual(surroundingsOf(file, [{ start: 200, end: 210 }]), [
      { start: 0, end: 40 },
      { start: 120, end: 200 },
      { start: 210, end: 290 },
    ]);
  });

  it('are one part where they touch', () => {
    assert.deepEqual(surroundingsOf(file, [{ start: 100, end: 110 }]), [
      { start: 0, end: 100 },
      { start: 110, end: 190 },
    ]);
    assert.deepEqual(surroundingsOf(file, [{ start: 30, end: 31 }]), [
      { start: 0, end: 30 },
      { start: 31, end: 111 },
    ]);
  });

  it('have the lines between several places, once', () => {
    const spans = surroundingsOf(file, [
      { start: 10, end: 12 },
      { start: 50, end: 52 },
      { start: 350, end: 352 },
    ]);
    assert.deepEqual(spans, [
      { start: 0, end: 10 },
      { start: 12, end: 50 },
      { start: 52, end: 132 },
      { start: 270, end: 350 },
      { start: 352, end: 400 },
    ]);
  });

  it('are none for the whole file, and no blank ones', () => {
    assert.deepEqual(surroundingsOf(file, [{ start: 0, end: 400 }]), []);
    assert.deepEqual(surroundingsOf(['a', '', ''], [{ start: 0, end: 1 }]), []);
    assert.deepEqual(surroundingsOf(file, []), []);
  });

  it('begin after a license, but not after another comment', () => {
    const place = { start: 5, end: 6 };
    const start = (...head: readonly string[]): number | undefined =>
      surroundingsOf([...head, ...file], [place])[0]?.start;
    assert.equal(start('// Copyright 2014 A', '// All rights reserved.'), 2);
    assert.equal(start('/*', ' * SPDX-License-Identifier: MIT', ' */'), 3);
    assert.equal(start('#!/usr/bin/env python3', '# Licensed under the Apache License'), 2);
    assert.equal(start('// Keeps accounts.', '// Each has a name.'), 0);
    assert.equal(start('/* A comment without an end: copyright'), 0);
  });
});
