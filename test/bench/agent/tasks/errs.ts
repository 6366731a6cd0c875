import { chmodSync } from 'node:fs';
import * as vscode from 'vscode';
import { secret } from '../host/runTask.ts';
import type { User } from '../host/user.ts';
import { edit, linesOf, lineWith, type Model, read, type Task, write } from '../task.ts';

const pay = 'export function pay() {\n  return 1;\n}\n';

const missing: Task = {
  name: 'the old text is not in the file, twice; then the model copies what the refusal quotes',
  files: { 'src/pay.ts': pay },
  *model() {
    yield [read('src/pay.ts')];
    const [quoted] = yield [edit('src/pay.ts', 'export function pay() {\n  return 0;\n}', 'export const pay = 2;')];
    yield [edit('src/pay.ts', 'export function pay() {\n  return null;\n}', 'export const pay = 2;')];
    // The refusal quotes the lines that are meant.
    yield [edit('src/pay.ts', lineWith(quoted, 'return 1'), '  return 2;')];
    return 'I propose to return 2.';
  },
  after: { 'src/pay.ts': pay.replace('1', '2') },
  refused: [/^Refused: oldString is not in the file/, /^Refused: oldString is not in the file/],
};

const twice = 'function one() {\n  log();\n}\n\nfunction two() {\n  log();\n}\n';
const ambiguous: Task = {
  name: 'the old text is there twice; then the model copies more of it',
  files: { 'src/log.ts': twice },
  *model() {
    const [text] = yield [read('src/log.ts')];
    const [refused] = yield [edit('src/log.ts', lineWith(text, 'log()'), '  log(2);')];
    const line = Number(/lines \d+, (\d+)/.exec(refused ?? '')?.[1]);
    const around = linesOf(text)
      .slice(line - 2, line)
      .join('\n');
    yield [edit('src/log.ts', around, around.replace('log()', 'log(2)'))];
    return 'I propose to log 2.';
  },
  after: { 'src/log.ts': twice.replace('two() {\n  log()', 'two() {\n  log(2)') },
  refused: [/^Refused: oldString occurs at several places: lines 2, 6/],
};

const underneath: Task = {
  name: 'a file changes between the proposal and the accept',
  files: { 'src/pay.ts': pay, 'src/tax.ts': 'export const tax = 1;\n' },
  *model() {
    yield [read('src/pay.ts'), read('src/tax.ts')];
    yield [edit('src/pay.ts', '  return 1;', '  return 2;'), edit('src/tax.ts', 'tax = 1', 'tax = 2')];
    yield 'Please check it.';
    const [now] = yield [edit('src/pay.ts', '  return 7;', '  return 8;')];
    if (!/changed after a change was proposed/.test(now ?? '')) throw new Error(`It was not told: ${now}`);
    return 'The file has changed. Please decide about the first change.';
  },
  user: async (user) => {
    await user.ask();
    await user.put({ 'src/pay.ts': pay.replace('1', '7') });
    await user.accept();
    await user.ask('And now?');
    await user.reject();
  },
  after: { 'src/pay.ts': pay.replace('1', '7'), 'src/tax.ts': 'export const tax = 2;\n' },
  undone: { 'src/pay.ts': pay.replace('1', '7') },
  refused: [/^Refused: the file changed after a change was proposed/],
  told: [/^These files have changed since, so nothing was written to them: .*src\/pay\.ts$/],
};

const cut: Task = {
  name: 'an answer is cut within a call',
  files: { 'src/pay.ts': pay },
  *model() {
    yield [read('src/pay.ts')];
    const whole = JSON.stringify({ path: 'src/pay.ts', oldString: '  return 1;', newString: '  return 2;' });
    yield {
      calls: [edit('src/pay.ts', '  return 1;', '  return 3;'), { name: 'edit_file', input: whole.slice(0, -14) }],
      finishReason: 'length',
    };
    // It is asked again, and nothing of the cut answer counts.
    yield [edit('src/pay.ts', '  return 1;', '  return 2;')];
    return 'I propose to return 2.';
  },
  after: { 'src/pay.ts': pay.replace('1', '2') },
};

const stopped: Task = {
  name: 'the user stops the turn: what was proposed stays, and nothing is written',
  files: { 'src/pay.ts': pay, 'src/tax.ts': 'export const tax = 1;\n' },
  *model({ hold }) {
    yield [read('src/pay.ts'), read('src/tax.ts')];
    yield [edit('src/pay.ts', '  return 1;', '  return 2;')];
    hold();
    yield [edit('src/tax.ts', 'tax = 1', 'tax = 2')];
    return 'The user has stopped this.';
  },
  user: async (user) => {
    await user.begin();
    await user.untilProposed(1);
    await user.stop();
    await user.answered();
    await user.accept();
  },
  after: { 'src/pay.ts': pay.replace('1', '2') },
  isEnded: true,
};

const five = ['a', 'b', 'c', 'd', 'e'];
const mixed: Task = {
  name: 'the third of five files cannot be saved without other changes: it has mixed line endings',
  files: {
    ...Object.fromEntries(five.map((name) => [`${name}.ts`, `export const ${name} = 1;\n`])),
    'c.ts': 'export const c = 1;\r\nexport {};\n',
  },
  *model() {
    yield five.map((name) => read(`${name}.ts`));
    yield five.map((name) => edit(`${name}.ts`, '= 1', '= 2'));
    return 'Please check it.';
  },
  after: Object.fromEntries(['a', 'b'].map((name) => [`${name}.ts`, `export const ${name} = 2;\n`])),
  told: [/c\.ts .*stay written/],
};

const mode: Task = {
  name: 'an executable file keeps its permission, and gets it back after its deletion is undone',
  files: { 'run.sh': '#!/bin/sh\necho 1\n', 'old.sh': '#!/bin/sh\n' },
  prepare: (path) => {
    for (const name of ['run.sh', 'old.sh']) chmodSync(path(name), 0o755);
    return () => undefined;
  },
  *model() {
    yield [read('run.sh'), read('old.sh')];
    yield [edit('run.sh', 'echo 1', 'echo 2'), { name: 'delete_file', input: { path: 'old.sh' } }];
    return 'Please check it.';
  },
  after: { 'run.sh': '#!/bin/sh\necho 2\n', 'old.sh': null },
  asked: [/^Delete .*old\.sh\?$/],
};

const formatting = {
  settings: { 'editor.formatOnSave': true },
  prepare: () => {
    const upper = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/*.upper' },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.replace(new vscode.Range(0, 0, document.lineCount, 0), document.getText().toUpperCase()),
        ],
      },
    );
    return () => upper.dispose();
  },
  *model(): Model {
    yield [read('a.upper')];
    yield [edit('a.upper', 'TWO', 'two and two'), edit('a.upper', 'FOUR', 'four and four')];
    return 'Please check it.';
  },
  user: async (user: User) => {
    await user.ask();
    await user.decideHunk('a.upper', 0, 'accept');
    await user.accept('a.upper');
  },
};

const formatted: Task = {
  name: 'a formatter changes the file when it is saved; the rest of the proposal still fits',
  files: { 'a.upper': 'ONE\nTWO\nTHREE\nMORE\nEVEN\nFOUR\nFIVE\n' },
  ...formatting,
  after: { 'a.upper': 'ONE\nTWO AND TWO\nTHREE\nMORE\nEVEN\nFOUR AND FOUR\nFIVE\n' },
};

const formattedBeside: Task = {
  name: 'a formatter changes a line beside the rest of the proposal, which does not fit then',
  files: { 'a.upper': 'ONE\nTWO\nTHREE\nFOUR\nFIVE\n' },
  ...formatting,
  after: { 'a.upper': 'ONE\nTWO AND TWO\nTHREE\nFOUR\nFIVE\n' },
  told: [/^These files have changed since, so nothing was written to them: /],
};

const longBody = Array.from({ length: 30 }, (_, at) => `  step(${at});`).join('\n');
const elided: Task = {
  name: 'the model leaves code out, then writes it',
  files: { 'src/run.ts': `export function run() {\n${longBody}\n}\n` },
  *model() {
    const [text] = yield [read('src/run.ts')];
    yield [edit('src/run.ts', lineWith(text, 'step(0)'), '  begin();\n  // ... existing code ...')];
    yield [write('src/run.ts', 'export function run() {\n  begin();\n  // rest of the function unchanged\n}\n')];
    yield [edit('src/run.ts', lineWith(text, 'step(0)'), `  begin();\n${lineWith(text, 'step(0)')}`)];
    return 'I propose to begin.';
  },
  after: { 'src/run.ts': `export function run() {\n  begin();\n${longBody}\n}\n` },
  refused: [
    /^Refused: line 2 of newString replaces code that was left out/,
    /^Refused: line 3 of newString replaces code/,
  ],
};

const marks: Task = {
  name: 'marks of secrets in new text',
  files: { 'src/key.ts': `const key = '${secret}';\nexport const limit = 1;\n`, 'src/other.ts': 'export {};\n' },
  *model() {
    const [text] = yield [read('src/key.ts', 1, 2), read('src/other.ts')];
    const line = lineWith(text, 'const key');
    yield [
      edit('src/key.ts', `${line}\nexport const limit = 1;`, `${line}\nexport const limit = 2;`),
      edit('src/other.ts', 'export {};', line),
      write('src/new.ts', `${line}\n`),
    ];
    return 'I propose another limit.';
  },
  after: { 'src/key.ts': `const key = '${secret}';\nexport const limit = 2;\n` },
  refused: [/would have a mark in the place of a secret/, /would have a mark in the place of a secret/],
};

const atOnce: Task = {
  name: 'a click on Accept All that comes while a file is accepted decides nothing',
  files: { 'a.txt': 'one\n', 'b.txt': 'one\n' },
  *model() {
    yield [read('a.txt'), read('b.txt')];
    yield [edit('a.txt', 'one', 'two'), edit('b.txt', 'one', 'two')];
    return 'Please check it.';
  },
  user: async (user) => {
    await user.ask();
    await Promise.all([user.accept('a.txt'), user.accept()]);
  },
  after: { 'a.txt': 'two\n' },
  told: [/^Nothing was decided/],
};

const otherChat: Task = {
  name: 'another conversation begins within a turn: its card has nothing of the first, and nothing is written',
  files: { 'a.txt': 'one\n' },
  *model({ hold }) {
    yield [read('a.txt')];
    yield [edit('a.txt', 'one', 'two')];
    hold();
    return 'The user has left.';
  },
  user: async (user) => {
    await user.begin();
    await user.untilProposed(1);
    await user.newChat();
    if (user.card !== undefined) throw new Error(`The card says ${user.card.title}`);
    await user.accept();
  },
  after: {},
  isEnded: true,
};

const leftAlone: Task = {
  name: 'a file changes after the accept: Undo leaves it alone, and restores the others',
  files: { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' },
  *model() {
    yield [read('a.txt'), read('b.txt'), read('c.txt')];
    yield ['a.txt', 'b.txt', 'c.txt'].map((path) => edit(path, 'one', 'two'));
    return 'Please check it.';
  },
  user: async (user) => {
    await user.ask();
    await user.accept();
    await user.put({ 'a.txt': 'two and more\n' });
    await user.type('b.txt', 'typed ');
  },
  after: { 'a.txt': 'two and more\n', 'b.txt': 'two\n', 'c.txt': 'two\n' },
  undone: { 'a.txt': 'two and more\n', 'b.txt': 'two\n' },
  told: [/a\.txt has changed since, so it was not restored|b\.txt has changed since/],
};

const broken: Task = {
  name: 'the connection breaks within the turn: what was proposed stays',
  files: { 'a.txt': 'one\n' },
  *model({ breakNext }) {
    yield [read('a.txt')];
    breakNext();
    yield [edit('a.txt', 'one', 'two')];
    return 'This answer breaks. '.repeat(50);
  },
  after: { 'a.txt': 'two\n' },
};

export const errs: readonly Task[] = [
  ...[missing, ambiguous, underneath, cut, stopped, mixed, formatted, formattedBeside, elided, marks],
  ...[mode, atOnce, otherChat, leftAlone, broken],
];
