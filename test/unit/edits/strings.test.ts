import assert from 'node:assert/strict';
import { fenced, placed } from './placed.ts';

const piece = (old: string, now: string): string => fenced(`<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE`);

describe('strings of several lines in an edit', () => {
  const method = 'class Q {\n  add(job) {\n    const text = `\nat left\n  two\n`;\n    return job;\n  }\n}\n';
  const java =
    'class A {\n    String run() {\n        var s = """\n            SELECT 1\n              FROM a\n            """;\n        return s;\n    }\n}\n';

  it('stay as they are if the code around them is moved', () => {
    assert.equal(
      placed('typescript', method, piece('return job;', 'const s = `\n  a\nb\n`;\nreturn s;')),
      method.replace('return job;', 'const s = `\n  a\nb\n`;\n    return s;'),
    );
    assert.equal(
      placed(
        'typescript',
        method,
        piece(
          'const text = `\nat left\n  two\n`;\nreturn job;',
          'const text = `\nat left\n  two\nthree\n`;\nreturn text;',
        ),
      ),
      method.replace('  two\n', '  two\nthree\n').replace('return job', 'return text'),
    );
  });

  it('are moved with the code if the lines to replace were, too', () => {
    assert.equal(
      placed(
        'java',
        java,
        piece(
          'var s = """\n    SELECT 1\n      FROM a\n    """;',
          'var s = """\n    SELECT 2\n      FROM a\n     WHERE b\n    """;',
        ),
      ),
      java.replace('SELECT 1', 'SELECT 2').replace('FROM a\n', 'FROM a\n             WHERE b\n'),
    );
  });

  it('stay as they are in a heredoc, with new lines of it', () => {
    const file = (lines: string, last: string): string =>
      `f() {\n»\n  if a; then\n    cat <<'EOF'\nleft\n${lines}EOF\n    ${last}\n  fi\n«\n}\n`;
    const answer = "if a; then\n  cat <<'EOF'\nleft\n  more }\nEOF\n  c <<< d\nfi";
    assert.equal(
      placed('shellscript', file('', 'b'), fenced(answer, 'sh')),
      file('  more }\n', 'c <<< d').replace(/[»«]\n/g, ''),
    );
  });

  it('begin with no shift of bits', () => {
    const file = 'a=$((1 << b))\n»\nf() {\n  b\n}\n«\n';
    assert.equal(
      placed('shellscript', file, fenced('f() {\n  if c; then\n    b\n  fi\n}', 'sh')),
      'a=$((1 << b))\nf() {\n  if c; then\n    b\n  fi\n}\n',
    );
  });

  it('have no place if they are moved otherwise than the code', () => {
    assert.equal(
      placed('typescript', method, piece('const text = `\n at left\n  two\n`;\nreturn job;', 'return job;')),
      'unplaced',
    );
  });
});
