import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const map = readFileSync('src/README.md', 'utf8');

describe('src/README.md', () => {
  it('lists exactly the rooms of the tree', () => {
    // The table of rooms, and that of the order in two of them.
    const rooms = [...new Set([...map.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, room]) => room))];
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(rooms.toSorted(), folders.map(({ name }) => name).toSorted());
  });

  it('names only existing files', () => {
    const named = [...map.matchAll(/(?<![\w/.])((?:\w+\/)+[\w.-]+\.(?:tsx?|json)|\w+\.ts|package[\w.]*\.json)/g)];
    assert.ok(named.length > 30, `${named.length}`);
    // A room is often named before, so the end of a path is enough.
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
    const isThere = (path: string): boolean =>
      existsSync(path) || files.some((file) => file === path || file.endsWith(`/${path}`));
    const missing = named.map(([, path = '']) => path).filter((path) => !isThere(path));
    assert.deepEqual(missing, ['features/f/vscode/x.ts']);
  });

  it('lists the path of a question by functions that are in the named files', () => {
    const [, path = ''] = /^## The path of a question\n([\s\S]*?)^## /m.exec(map) ?? [];
    const lines = path.split('\n').filter((line) => /^\d+\. /.test(line));
    assert.ok(lines.length >= 20, `${lines.length}`);
    const wrong = lines.filter((line, index) => {
      const [, number, type, name = '', file = '', from = number] =
        /^(\d+)\. `(?:(\w+)\.)?(#?\w+)` in `([\w/.]+)`(?:, from (\d+))?: /.exec(line) ?? [];
      // The caller is an earlier one, and not the one before: that needs no name.
      const isCaller = from === number || Number(from) < index;
      return !isCaller || Number(number) !== index + 1 || !isDefined(type, name, readFileSync(`src/${file}`, 'utf8'));
    });
    assert.deepEqual(wrong, []);
  });

  it('names the caller in the path if it is not the previous function', () => {
    const [, there = ''] = /^## The path of a question\n([\s\S]*?)^And back:/m.exec(map) ?? [];
    const steps = [...there.matchAll(/^\d+\. `(?:(\w+)\.)?(#?\w+)` in `([\w/.]+)`(?:, from (\d+))?: /gm)].map(
      ([, type, name = '', file = '', from]) => ({ type, name, file, from }),
    );
    const calls = steps.flatMap(({ name, file, from }, index) => {
      const caller = steps[from === undefined ? index - 1 : Number(from) - 1];
      if (caller === undefined) return [];
      const text = bodyOf(caller.type, caller.name, readFileSync(`src/${caller.file}`, 'utf8'));
      // Between the page and the host, and to a handler, a call is a message.
      const isMessage = ['openChannel', 'send'].includes(name) && caller.file !== file && !file.startsWith('session/');
      const isCalled = new RegExp(`(?<![\\w#])${name}\\b`).test(text);
      return isMessage || isCalled ? [] : [`${caller.name} calls ${name}`];
    });
    assert.deepEqual(calls, []);
  });

  it('finds only what is defined there', () => {
    const source = 'class A {\n  async #b() {\n    c();\n  }\n}\nexport async function* d(\nconst e = () => {};\n';
    const asked = ['A.#b', 'd', 'e', 'c', 'B.#b', 'A.d'];
    const found = asked.filter((path) => {
      const [name = '', type] = path.split('.').reverse();
      return isDefined(type, name, source);
    });
    assert.deepEqual(found, ['A.#b', 'd', 'e']);
  });

  it('describes a command, a setting and a header in five lines each', () => {
    for (const thing of ['a command', 'a setting', 'a header']) {
      const [, lines = ''] = new RegExp(`^ {4}${thing}\\n((?: {4}\\d .+\\n)+)`, 'm').exec(map) ?? [];
      assert.equal(lines.trim().split('\n').length, 5, thing);
    }
  });
});

/** The text of a function or of a method, by the layout of the formatter; of others, the whole file. */
function bodyOf(type: string | undefined, name: string, source: string): string {
  const [begin, end] = type === undefined ? ['(?:export )?(?:async )?function\\*? ', ''] : [' {2}(?:async )?', ' {2}'];
  const [whole = source] = new RegExp(`^${begin}${name}[(<][\\s\\S]*?^${end}}`, 'm').exec(source) ?? [];
  return whole;
}

/** Whether the file defines the function, or the method of a class or object, by the layout of the formatter. */
function isDefined(type: string | undefined, name: string, source: string): boolean {
  const has = (pattern: string, text: string): boolean => new RegExp(pattern, 'm').test(text);
  if (type !== undefined) {
    const scope = new RegExp(`^(?:export )?class ${type}\\b[\\s\\S]*?^}`, 'm').exec(source)?.[0] ?? '';
    return has(`^ {2}(?:async )?${name}[(<]`, scope);
  }
  const functions = [`^(?:export )?(?:async )?function\\*? ${name}[(<]`, `^ *const ${name} =`];
  const members = [`^ {4}async ${name}\\(`, `^ {4}${name}: (?:async )?\\(`];
  return [...functions, ...members].some((pattern) => has(pattern, source));
}
