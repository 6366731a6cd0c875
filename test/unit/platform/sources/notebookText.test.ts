import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readNotebook, textOfCells } from '../../../../src/platform/sources/notebookText.ts';

const read = (notebook: unknown): string | null => {
  const cells = readNotebook(JSON.stringify(notebook));
  return cells === null ? null : textOfCells(cells);
};
const code = (source: unknown, ...outputs: unknown[]) => ({ cell_type: 'code', source, outputs });
const python = (...cells: unknown[]) => ({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells });

describe('a notebook as text', () => {
  it('has the cells in their order, with the language of each', () => {
    assert.equal(
      read(python({ cell_type: 'markdown', source: ['# A\n', 'b'] }, code('x = 1'), { cell_type: 'raw', source: 'r' })),
      '[cell 1, markdown]\n# A\nb\n\n[cell 2, python]\nx = 1\n\n[cell 3, raw]\nr',
    );
    assert.equal(
      read({ nbformat: 4, metadata: { kernelspec: { language: 'R' } }, cells: [code('x')] }),
      '[cell 1, R]\nx',
    );
    assert.equal(read({ nbformat: 4, cells: [code('x')] }), '[cell 1, code]\nx');
    assert.equal(read(python()), '');
  });

  it('has what the cells printed as text, and names the rest', () => {
    const outputs = [
      { output_type: 'stream', name: 'stdout', text: ['one\n', 'two'] },
      { output_type: 'execute_result', data: { 'text/html': '<b>3</b>', 'text/plain': '3' } },
      { output_type: 'display_data', data: { 'image/png': 'iVBORw0', 'text/plain': ['<Figure>'] } },
      { output_type: 'display_data', data: { 'application/vnd.plotly.v1+json': { a: 1 } } },
      { output_type: 'display_data', data: { 'application/json': { a: [1] } } },
      { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[0;31mE\u001b[0m: v', 'at 1'] },
      { output_type: 'error', ename: 'E', evalue: 'v', traceback: [] },
    ];
    assert.equal(
      read(python(code('f()', ...outputs)))?.split('[output of cell 1]\n')[1],
      [
        ...['one', 'two', '3', '<Figure>', '[left out: image/png]', '[left out: application/vnd.plotly.v1+json]'],
        ...['{', ' "a": [', '  1', ' ]', '}', 'E: v', 'at 1', 'E: v'],
      ].join('\n'),
    );
  });

  it('is read in format 3, too, and no other text is taken for one', () => {
    const old = {
      nbformat: 3,
      worksheets: [{ cells: [{ cell_type: 'code', input: 'x', outputs: [{ output_type: 'pyout', text: '1' }] }] }],
    };
    assert.equal(read(old), '[cell 1, code]\nx\n\n[output of cell 1]\n1');
    for (const other of ['', 'x', '{', '[]', 'null', '{"cells": []}', '{"nbformat": "4", "cells": []}'])
      assert.equal(readNotebook(other), null, other);
  });

  it('is read whatever the file has, and has no base64 of an image', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (cells, source, outputs) => {
        const image = { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo' } };
        for (const given of [cells, [cells, { cell_type: 'code', source, outputs }], [code('x', outputs, image)]])
          assert.doesNotMatch(read({ nbformat: 4, cells: given }) ?? '', /iVBORw0KGgo/);
      }),
    );
  });

  it('has no indentation of deep data, and only names what is too deep to be shown', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const shown = (data: string): string => {
      const output = `{"output_type": "display_data", "data": ${data}}`;
      const file = `{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x", "outputs": [${output}]}]}`;
      const text = textOfCells(readNotebook(file) ?? []);
      assert.ok(text.length <= file.length + 200);
      return text.split('[output of cell 1]\n')[1] ?? '';
    };
    assert.equal(shown(`{"application/json": ${nested(3)}}`), '[\n [\n  []\n ]\n]');
    assert.equal(shown(`{"application/json": ${nested(50)}}`), nested(50));
    for (const depth of [101, 2_500, 100_000]) {
      assert.equal(shown(`{"application/json": ${nested(depth)}}`), '[left out: application/json]');
      assert.equal(
        shown(`{"application/json": {"a": ${nested(depth)}}, "text/html": "<b>"}`),
        '<b>\n[left out: application/json]',
      );
    }
  });

  it('is read if an error or the kind of a cell is deep data', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const error = `{"output_type": "error", "ename": ${deep}, "evalue": {"toString": 1}, "traceback": [${deep}]}`;
    const file = `{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x", "outputs": [${error}]}, {"cell_type": ${deep}}]}`;
    assert.equal(textOfCells(readNotebook(file) ?? []), '[cell 1, code]\nx\n\n[output of cell 1]\n: \n\n[cell 2, ]\n');
  });
});
