import { mkdirSync, writeFileSync } from 'node:fs';
import {
  blockAt,
  edit,
  foundIn,
  linesOf,
  lineWith,
  list,
  read,
  remove,
  rename,
  runTask,
  search,
  type Task,
  write,
} from '../task.ts';
import { changed, editLine, inPackage, readAround, type Sources, textOf } from './packageTask.ts';

/** Tasks in a set of React components: 35 files and 3,100 lines. */
export function componentTasks(sources: Sources): readonly Task[] {
  if (Object.keys(sources).length === 0) return [];
  return [
    renamed(sources),
    throughLayers(sources),
    moved(sources),
    wrapped(sources),
    typographic(sources),
    dedented(sources),
    ambiguous(sources),
    split(sources),
    failingTest(sources),
    halfAccepted(sources),
    manyEdits(sources),
  ];
}

const renamed = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'rename a component and its file',
    *model() {
      const texts = yield* readAround('MissingIcon');
      yield [rename('src/MissingIcon.tsx', 'src/IconPlaceholder.tsx')];
      for (const [path, text] of texts) {
        const now = path === 'src/MissingIcon.tsx' ? 'src/IconPlaceholder.tsx' : path;
        yield linesOf(text)
          .filter((line) => line.includes('MissingIcon'))
          .map((line) => edit(now, line, line.replaceAll('MissingIcon', 'IconPlaceholder')));
      }
      return 'I propose to rename MissingIcon.';
    },
    after: {
      'src/MissingIcon.tsx': null,
      'src/IconPlaceholder.tsx': textOf(sources, 'src/MissingIcon.tsx').replaceAll('MissingIcon', 'IconPlaceholder'),
      ...changed(sources, 'src/index.tsx', (text) => text.replaceAll('MissingIcon', 'IconPlaceholder')),
    },
  });

const prop = '  /**\n   * Whether the button has round corners.\n   */\n  isRound?: boolean;\n';
const throughLayers = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'add a property through three layers',
    *model() {
      const [found] = yield [search('type HeaderButtonProps')];
      const line = Number(/:(\d+): /.exec(found ?? '')?.[1]);
      const [types, button] = yield [read('src/types.tsx', line, line + 45), read('src/Header/HeaderButton.tsx')];
      const back = yield* readAround('testID');
      const last = linesOf(types).slice(0, 5).join('\n');
      yield [
        edit('src/types.tsx', last, last.replace('{\n', `{\n${prop}`)),
        edit(
          'src/Header/HeaderButton.tsx',
          '    href,\n    children,',
          '    href,\n    isRound = true,\n    children,',
        ),
        editLine('src/Header/HeaderButton.tsx', button, 'styles.disabled, style', (one) =>
          one.replace('disabled &&', 'isRound && styles.round, disabled &&'),
        ),
        edit('src/Header/HeaderButton.tsx', '    borderRadius: 10,\n    borderCurve', '    borderCurve'),
        edit(
          'src/Header/HeaderButton.tsx',
          '  disabled: {\n',
          '  round: {\n    borderRadius: 10,\n  },\n  disabled: {\n',
        ),
      ];
      const text = back.get('src/Header/HeaderBackButton.tsx');
      const passed = linesOf(text).filter((one) => /testID/.test(one));
      yield passed.map((one) =>
        edit('src/Header/HeaderBackButton.tsx', one, `${one}\n${one.replaceAll('testID', 'isRound')}`),
      );
      return 'I propose the property isRound.';
    },
    after: {
      ...changed(sources, 'src/types.tsx', (text) =>
        text.replace('export type HeaderButtonProps = {\n', (one) => one + prop),
      ),
      ...changed(sources, 'src/Header/HeaderButton.tsx', (text) =>
        text
          .replace('    href,\n    children,', '    href,\n    isRound = true,\n    children,')
          .replace('disabled && styles.disabled', 'isRound && styles.round, disabled && styles.disabled')
          .replace('    borderRadius: 10,\n    borderCurve', '    borderCurve')
          .replace('  disabled: {\n', '  round: {\n    borderRadius: 10,\n  },\n  disabled: {\n'),
      ),
      ...changed(sources, 'src/Header/HeaderBackButton.tsx', (text) =>
        text.replaceAll(/^.*testID.*\n/gm, (one) => one + one.replaceAll('testID', 'isRound')),
      ),
    },
  });

const moved = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'move two modules out of a folder, which is gone then',
    *model() {
      const [folder] = yield [list('src/Label')];
      const users = yield* readAround('/Label/');
      const [label] = yield [read('src/Label/Label.tsx'), read('src/Label/getLabel.tsx')];
      const names = [...(folder ?? '').matchAll(/(\w+\.tsx)/g)].map(([name]) => name);
      yield [...new Set(names)].map((name) => rename(`src/Label/${name}`, `src/${name}`));
      yield [
        editLine('src/Label.tsx', label, "'../Text'", (line) => line.replace('../', './')),
        ...[...users].flatMap(([path, text]) =>
          linesOf(text)
            .filter((line) => line.includes('/Label/'))
            .map((line) => edit(path, line, line.replace('/Label/', '/'))),
        ),
      ];
      return 'I propose to move both files.';
    },
    after: {
      'src/Label/Label.tsx': null,
      'src/Label/getLabel.tsx': null,
      'src/Label.tsx': textOf(sources, 'src/Label/Label.tsx').replace("'../Text'", "'./Text'"),
      'src/getLabel.tsx': textOf(sources, 'src/Label/getLabel.tsx'),
      ...changed(sources, 'src/index.tsx', (text) => text.replaceAll('/Label/', '/')),
    },
  });

const wrapped = (sources: Sources): Task => {
  const inner = (text: string): string => text.replace(/^/gm, '  ');
  const before =
    '    <NativeText\n      {...rest}\n      style={[{ color: colors.text }, fonts.regular, style]}\n    />';
  return inPackage(sources, {
    name: 'wrap an element, of which the indentation changes',
    *model() {
      const [text] = yield [read('src/Text.tsx')];
      const element = blockAt(text, '<NativeText', '    />');
      yield [edit('src/Text.tsx', element, `    <View>\n${inner(element)}\n    </View>`)];
      yield [
        editLine('src/Text.tsx', text, 'Text as NativeText', (line) => line.replace('TextProps', 'TextProps, View')),
      ];
      return 'I propose a view around the text.';
    },
    after: changed(sources, 'src/Text.tsx', (text) =>
      text
        .replace(before, `    <View>\n${inner(before)}\n    </View>`)
        .replace('type TextProps }', 'type TextProps, View }'),
    ),
  });
};

const typographic = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'the model writes a typographic apostrophe in place of a plain one',
    *model() {
      const [text] = yield [read('src/Lazy.tsx')];
      const line = lineWith(text, "won't render");
      const next = lineWith(text, 'it will defer rendering');
      yield [
        edit('src/Lazy.tsx', line.replace("'", '’'), `${line.replace("'", '’')}\n *   (see visible)`),
        edit('src/Lazy.tsx', next, next.replace('defer', 'put off')),
      ];
      return 'I propose better comments.';
    },
    after: changed(sources, 'src/Lazy.tsx', (text) =>
      text
        .replace("won't render until it becomes visible\n", (line) => `${line} *   (see visible)\n`)
        .replace('will defer', 'will put off'),
    ),
  });

const dedented = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'the model writes JSX at another indentation, with tabs',
    *model() {
      const [text] = yield [read('src/Button.tsx')];
      const block = blockAt(text, '<Text style=', '      </Text>');
      const odd = (code: string): string => code.replaceAll(/^ {6}/gm, '').replaceAll('  ', '\t');
      yield [edit('src/Button.tsx', odd(block), odd(block).replace('<Text style', '<Text numberOfLines={1} style'))];
      return 'I propose one line of text.';
    },
    after: changed(sources, 'src/Button.tsx', (text) =>
      text.replace('      <Text style', '      <Text numberOfLines={1} style'),
    ),
  });

const ambiguous = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'an element that is there twice, then with the lines around it',
    *model() {
      const [text] = yield [read('src/ResourceSavingView.tsx')];
      yield [edit('src/ResourceSavingView.tsx', lineWith(text, '{children}').trim(), '{visible ? children : null}')];
      const around = blockAt(text, 'style={visible ? styles.attached', '      </View>');
      yield [edit('src/ResourceSavingView.tsx', around, around.replace('{children}', '{visible ? children : null}'))];
      return 'I propose to draw only what is visible.';
    },
    after: changed(sources, 'src/ResourceSavingView.tsx', (text) =>
      text.replace(
        'styles.detached}\n      >\n        {children}',
        'styles.detached}\n      >\n        {visible ? children : null}',
      ),
    ),
    refused: [/^Refused: oldString occurs at several places: lines \d+, \d+/],
  });

const split = (sources: Sources): Task => {
  const style = "import { StyleSheet } from 'react-native';\n\nexport const styles = ";
  return inPackage(sources, {
    name: 'styles get a file of their own',
    *model() {
      const [text] = yield [read('src/Badge.tsx')];
      const block = blockAt(text, 'const styles', '});');
      yield [
        write('src/Badge.styles.tsx', `${style}${block.replace('const styles = ', '')}\n`),
        edit('src/Badge.tsx', `\n${block}\n`, ''),
        edit(
          'src/Badge.tsx',
          `${lineWith(text, "from 'react-native'")}\n`,
          `${lineWith(text, "from 'react-native'")}\n\nimport { styles } from './Badge.styles';\n`,
        ),
      ];
      return 'I propose a file for the styles.';
    },
    after: {
      'src/Badge.styles.tsx': `${style}${textOf(sources, 'src/Badge.tsx').split('const styles = ')[1]}`,
      ...changed(sources, 'src/Badge.tsx', (text) =>
        text
          .replace(/\nconst styles = [\s\S]*$/, '')
          .replace("} from 'react-native';\n", "} from 'react-native';\n\nimport { styles } from './Badge.styles';\n"),
      ),
    },
  });
};

const halfAccepted = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'the user keeps a file that was to go, and the model follows',
    *model() {
      const texts = yield* readAround("/Background'");
      yield [read('src/Background.tsx')];
      yield [
        remove('src/Background.tsx'),
        editLine('src/index.tsx', texts.get('src/index.tsx'), "'./Background'", () => '// Background is gone.'),
        editLine('src/Screen.tsx', texts.get('src/Screen.tsx'), "'./Background'", (line) =>
          line.replace('./', './old/'),
        ),
      ];
      yield 'I propose to remove Background.';
      const [now] = yield [read('src/index.tsx')];
      yield [edit('src/index.tsx', lineWith(now, 'is gone'), "export { Background } from './Background';")];
      return 'I propose to export it again.';
    },
    user: async (user) => {
      await user.ask();
      await user.accept('src/index.tsx');
      await user.reject();
      await user.ask('I want to keep Background.');
      await user.accept();
    },
    after: {},
  });

const manyEdits = (sources: Sources): Task => {
  const users = Object.keys(sources).filter((path) => sources[path]?.includes("from 'react-native'"));
  return inPackage(sources, {
    name: `one import in ${users.length} files`,
    *model() {
      const [found] = yield [search("from 'react-native'")];
      const paths = foundIn(found);
      for (let at = 0; at < paths.length; at += 8) {
        const some = paths.slice(at, at + 8);
        yield some.map((path) => read(path, 1, 30));
        yield some.map((path) => edit(path, "from 'react-native'", "from '@example/native'", { replaceAll: true }));
      }
      return 'I propose another package.';
    },
    after: Object.assign(
      {},
      ...users.map((path) =>
        changed(sources, path, (text) => text.replaceAll("from 'react-native'", "from '@example/native'")),
      ),
    ),
  });
};

/** A test that runs without the dependencies of the package. */
const labelTest = (path: string): string => `
const text = require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8');
const body = /\\): string \\{([\\s\\S]*)\\}/.exec(text)[1];
const label = new Function('options', 'fallback', body);
require('node:assert').equal(label({ label: '', title: 'Title' }, ''), 'Title');
`;

const failingTest = (sources: Sources): Task => {
  const file = 'src/Label/getLabel.tsx';
  const fix = (line: string): string => line.replace('options.label !== undefined', 'options.label');
  return inPackage(sources, {
    name: 'a failing test is run, the code is fixed, and the test is run again',
    settings: { 'svc.tools.runTask': true },
    prepare: (path) => {
      const test = { label: 'test', type: 'process', command: process.execPath, args: [path('test.cjs')] };
      mkdirSync(path('/.vscode'), { recursive: true });
      writeFileSync(path('/.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks: [test] }));
      writeFileSync(path('test.cjs'), labelTest(path(file)));
      return () => undefined;
    },
    *model() {
      const [failed] = yield [runTask('test')];
      if (!failed?.includes('AssertionError')) throw new Error(`The test did not fail: ${failed}`);
      const [text] = yield [read(file)];
      yield [editLine(file, text, 'options.label !== undefined', fix)];
      yield 'I propose to take the title where the label is empty.';
      const [passed] = yield [runTask('test')];
      if (!/exit code:? 0/i.test(passed ?? '')) throw new Error(`The test fails: ${passed}`);
      return 'The test passes.';
    },
    user: async (user) => {
      await user.ask('Please make the test pass.');
      await user.accept();
      await user.ask('Please run it again.');
    },
    after: changed(sources, file, fix),
  });
};
