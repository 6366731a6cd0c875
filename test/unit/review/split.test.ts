import assert from 'node:assert/strict';
import fc from 'fast-check';
import { overlap, splitFile } from '../../../src/review/split.ts';

describe('splitting a file', () => {
  it('keeps a small one whole', () => {
    assert.deepEqual(splitFile('a\nb\n').parts, [{ firstLine: 1, lastLine: 2, start: 0, end: 4 }]);
    assert.deepEqual(splitFile('').parts, [{ firstLine: 1, lastLine: 1, start: 0, end: 0 }]);
  });

  it('cuts between lines, with overlapping lines', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`);
    const text = lines.join('');
    const { parts, cutLines } = splitFile(text, 1000);
    assert.deepEqual(cutLines, []);
    assert.ok(parts.length > 3);
    parts.forEach(({ firstLine, lastLine, start, end }, index) => {
      assert.equal(text.slice(start, end), lines.slice(firstLine - 1, lastLine).join(''));
      const before = parts[index - 1];
      if (before !== undefined) assert.equal(before.lastLine - firstLine + 1, overlap);
    });
    assert.equal(parts.at(-1)?.lastLine, 500);
  });

  it('puts every line into some part, none longer than the limit, and names the lines it cuts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 60 }), { maxLength: 80 }), (lengths) => {
        const lines = lengths.map((length, index) => `${'x'.repeat(length)}${index < lengths.length - 1 ? '\n' : ''}`);
        const { parts, cutLines } = splitFile(lines.join(''), 40);
        const seen = new Set<number>();
        for (const { firstLine, lastLine, start, end } of parts) {
          assert.ok(end - start <= 40);
          assert.ok(
            lines
              .slice(firstLine - 1, lastLine)
              .join('')
              .startsWith(lines.join('').slice(start, end)),
          );
          for (let line = firstLine; line <= lastLine; line += 1) seen.add(line);
        }
        lines.forEach((line, index) => {
          if (line === '') return;
          assert.ok(seen.has(index + 1), `line ${index + 1}`);
          if (lines.join('').length > 40) assert.equal(cutLines.includes(index + 1), line.length > 40);
        });
      }),
    );
  });
});
