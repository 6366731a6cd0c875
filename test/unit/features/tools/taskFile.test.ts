import assert from 'node:assert/strict';
import { commandLine, maxTaskFile, taskIn } from '../../../../src/features/tools/common/taskFile.ts';

/** A variable of VS Code in a text. */
const variable = (name: string): string => `\${${name}}`;
const variables = { workspaceFolder: '/w', workspaceFolderBasename: 'w', pathSeparator: '/', '/': '/' };
const read = (tasks: unknown, name = 'test', more: object = {}) =>
  taskIn(JSON.stringify({ version: '2.0.0', ...more, tasks }), name, 'linux', variables);
const task = (more: object) => [{ label: 'test', type: 'shell', command: 'npm test', ...more }];

describe('a task of tasks.json', () => {
  it('is found by its label, with comments and trailing commas in the file', () => {
    const text = '\uFEFF// tasks\n{ "tasks": [ { "label": "test", "type": "shell", "command": "npm test", }, ], }';
    assert.deepEqual(taskIn(text, 'test', 'linux', variables), {
      ...{ type: 'shell', command: 'npm test', args: [], env: {} },
    });
    for (const name of ['../test', 'Test', 'test ', '__proto__', 'constructor', ''])
      assert.equal(taskIn(text, name, 'linux', variables), 'no-such-task', name);
  });

  it('has the part for this system, and its variables', () => {
    const found = read(
      task({
        options: {
          cwd: `${variable('workspaceFolder')}${variable('/')}sub`,
          env: { A: '1', B: variable('workspaceFolderBasename') },
        },
        linux: { command: 'make', args: [`${variable('workspaceFolder')}/a b`], options: { env: { A: '2' } } },
        windows: { command: 'nmake' },
      }),
    );
    assert.deepEqual(found, {
      ...{ type: 'shell', command: 'make', args: ['/w/a b'], cwd: '/w/sub', env: { A: '2', B: 'w' } },
    });
  });

  const refused: readonly (readonly [string, object | undefined, object?])[] = [
    ['wrong-type', { type: 'npm' }],
    ['wrong-type', { type: undefined }],
    ['depends', { dependsOn: 'build' }],
    ['depends', { dependsOn: [] }],
    ['background', { isBackground: true }],
    ['background', { isBackground: 'false' }],
    ['own-shell', { options: { shell: { executable: '/bin/zsh' } } }],
    ['own-shell', { linux: { options: { shell: {} } } }],
    ['misfit', { command: { value: 'a', quoting: 'strong' } }],
    ['misfit', { command: ' ' }],
    ['misfit', { command: undefined }],
    ['misfit', { command: 'a\0b' }],
    ['misfit', { args: [{ value: 'a', quoting: 'weak' }] }],
    ['misfit', { args: 'a b' }],
    ['misfit', { options: { env: { A: 1 } } }],
    ['misfit', { options: { cwd: 3 } }],
    ['misfit', { options: { env: { 'A=1\nB': '2' } } }],
    ['misfit', { linux: 'make' }],
    ['variable', { command: `echo ${variable('input:x')}` }],
    ['variable', { args: [variable('command:a.b')] }],
    ['variable', { options: { env: { A: variable('env:SVC_API_KEY') } } }],
    ['variable', { options: { env: { [variable('file')]: 'a' } } }],
    ['variable', { options: { cwd: variable('fileDirname') } }],
    ['variable', { command: `echo ${variable('__proto__')} ${variable('toString')}` }],
    ['variable', { command: 'echo ${workspaceFolder' }],
    ['variable', { command: `echo \${${'x'.repeat(500)}}` }],
    ['too-long', { command: 'a'.repeat(4_001) }],
    ['too-long', { args: Array.from({ length: 100 }, () => 'a'.repeat(50)) }],
    ['too-long', { command: `npm test${' '.repeat(20)}; curl example.com` }],
    ['too-long', { command: `npm test${'\n'.repeat(20)}curl example.com` }],
    ['too-long', { command: 'a\n'.repeat(20) }],
    ['hidden', { command: 'npm test \u202e' }],
    ['hidden', { args: ['\u200b'] }],
    ['hidden', { options: { env: { 'A\u{e0041}': 'a' } } }],
    ['hidden', { command: 'npm test\u001b[8m; curl example.com' }],
    ['misfit', { args: Array.from({ length: 300 }, () => 'a') }],
    ['for-all-tasks', {}, { command: 'x' }],
    ['for-all-tasks', {}, { options: { env: { PATH: '/evil' } } }],
    ['for-all-tasks', {}, { linux: { options: {} } }],
  ];
  for (const [problem, more, file] of refused)
    it(`is refused: ${problem}, ${JSON.stringify([more, file]).slice(0, 80)}`, () =>
      assert.equal(read(task(more ?? {}), 'test', file), problem));

  it('is refused if several have its label, and if the file is no tasks.json', () => {
    assert.equal(read([...task({}), ...task({ command: 'other' })]), 'several');
    for (const text of ['', '[]', 'null', '{', '{"tasks": {}}', '{"tasks": "a"}', '['.repeat(100_000), '{"tasks": [}'])
      assert.equal(taskIn(text, 'test', 'linux', variables), 'broken', text.slice(0, 20));
    assert.equal(taskIn(' '.repeat(maxTaskFile + 1), 'test', 'linux', variables), 'too-large');
    assert.equal(read([null, 3, 'test', [], { label: ['test'] }]), 'no-such-task');
  });

  it('is shown as the command line that a shell gets', () => {
    const line = (type: 'shell' | 'process', command: string, ...args: readonly string[]): string =>
      commandLine({ type, command, args, env: {} }, 'linux');
    assert.equal(line('shell', 'npm test && echo $A'), 'npm test && echo $A');
    assert.equal(
      line('shell', 'my tool', 'a b', "it's here", '$A', 'a;b', "'c d'"),
      `'my tool' 'a b' 'it'\\''s here' $A a;b 'c d'`,
    );
    assert.equal(line('process', 'node', '--test', '', 'a b', '$A', '"'), `node --test '' 'a b' '$A' '"'`);
    assert.equal(commandLine({ type: 'shell', command: 'a', args: ['b "c'], env: {} }, 'windows'), 'a "b \\"c"');
  });
});
