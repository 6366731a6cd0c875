import {
  answering,
  blockAt,
  edit,
  foundIn,
  linesOf,
  lineWith,
  read,
  remove,
  rename,
  replacement,
  search,
  type Task,
  write,
} from '../task.ts';
import { changed, editLine, inPackage, readAround, type Sources, textOf } from './packageTask.ts';

/** Tasks in a TypeScript library of 24 files and 11,000 lines. */
export function libraryTasks(sources: Sources): readonly Task[] {
  if (Object.keys(sources).length === 0) return [];
  return [
    renamed(sources),
    renamedInAll(sources),
    throughLayers(sources),
    moved(sources),
    dedented(sources),
    leftOut(sources),
    blocks(sources),
    oldVersion(sources),
    halfAccepted(sources),
    split(sources),
    rewritten(sources),
  ];
}

const renamed = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'rename an exported function, line by line',
    *model() {
      const read = yield* readAround('isValidTimeout');
      for (const [path, text] of read) {
        const lines = linesOf(text).filter((line) => line.includes('isValidTimeout'));
        yield lines.map((line) => edit(path, line, line.replaceAll('isValidTimeout', 'isTimeout')));
      }
      return 'I propose to rename isValidTimeout to isTimeout.';
    },
    after: Object.assign(
      {},
      ...['src/utils.ts', 'src/queryObserver.ts', 'src/removable.ts'].map((path) =>
        changed(sources, path, (text) => text.replaceAll('isValidTimeout', 'isTimeout')),
      ),
    ),
  });

const renamedInAll = (sources: Sources): Task => {
  const users = Object.keys(sources).filter((path) => sources[path]?.includes('hashKey'));
  return inPackage(sources, {
    name: `rename an exported function in ${users.length} files, all places of a file at once`,
    *model() {
      const [found] = yield [search('hashKey')];
      const paths = foundIn(found);
      yield paths.map((path) => read(path, 1, 20));
      yield paths.map((path) => edit(path, 'hashKey', 'hashOfKey', { replaceAll: true }));
      const [left] = yield [search('hashKey')];
      return `I propose to rename hashKey to hashOfKey. ${left?.length} letters were found before.`;
    },
    after: Object.assign(
      {},
      ...users.map((path) => changed(sources, path, (text) => text.replaceAll('hashKey', 'hashOfKey'))),
    ),
  });
};

const throughLayers = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'add an option through three layers',
    *model() {
      const texts = yield* readAround('retryDelay', 6);
      const of = (path: string): string | undefined => texts.get(path);
      const added = (line: string): string =>
        `${line}\n${line.replaceAll('retryDelay', 'retryJitter').replace(/RetryDelayValue<TError>/, 'number')}`;
      yield [
        editLine('src/retryer.ts', of('src/retryer.ts'), 'retryDelay?: RetryDelayValue<TError>', added),
        editLine('src/query.ts', of('src/query.ts'), 'retryDelay: context.options', added),
        editLine('src/mutation.ts', of('src/mutation.ts'), 'retryDelay: this.options', added),
        edit(
          'src/retryer.ts',
          '        sleep(delay)\n',
          '        sleep(delay + Math.random() * (config.retryJitter ?? 0))\n',
        ),
      ];
      // The line is there twice, for queries and for mutations.
      const option = lineWith(of('src/types.ts'), 'retryDelay?:');
      const [refused] = yield [edit('src/types.ts', option, added(option))];
      const lines =
        /lines (\d+), (\d+)/
          .exec(refused ?? '')
          ?.slice(1)
          .map(Number) ?? [];
      for (const line of lines) {
        const [around] = yield [read('src/types.ts', line - 6, line + 6)];
        const block = linesOf(around).join('\n');
        yield [edit('src/types.ts', block, block.replace(option, added(option)))];
      }
      return 'I propose the option retryJitter.';
    },
    after: {
      ...changed(sources, 'src/retryer.ts', (text) =>
        text
          .replace('  retryDelay?: RetryDelayValue<TError>\n', (line) => `${line}  retryJitter?: number\n`)
          .replace('sleep(delay)', 'sleep(delay + Math.random() * (config.retryJitter ?? 0))'),
      ),
      ...changed(sources, 'src/query.ts', (text) =>
        text.replace(
          /^( *)retryDelay: context\.options\.retryDelay,\n/m,
          '$&$1retryJitter: context.options.retryJitter,\n',
        ),
      ),
      ...changed(sources, 'src/mutation.ts', (text) =>
        text.replace(/^( *)retryDelay: this\.options\.retryDelay,\n/m, '$&$1retryJitter: this.options.retryJitter,\n'),
      ),
      ...changed(sources, 'src/types.ts', (text) =>
        text.replaceAll('  retryDelay?: RetryDelayValue<TError>\n', (line) => `${line}  retryJitter?: number\n`),
      ),
    },
    refused: [/^Refused: oldString occurs at several places: lines \d+, \d+/],
  });

const moved = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'move a module, and change what imports it',
    *model() {
      const users = yield* readAround("/removable'");
      const [text] = yield [read('src/removable.ts')];
      yield [rename('src/removable.ts', 'src/cache/removable.ts')];
      yield [
        ...[...users].map(([path, part]) =>
          editLine(path, part, "'./removable'", (line) => line.replace('./', './cache/')),
        ),
        ...linesOf(text)
          .filter((line) => / from '\.\//.test(line))
          .map((line) => edit('src/cache/removable.ts', line, line.replace("'./", "'../"))),
      ];
      return 'I propose to move removable.ts.';
    },
    after: {
      ...changed(sources, 'src/query.ts', (text) => text.replace("'./removable'", "'./cache/removable'")),
      ...changed(sources, 'src/mutation.ts', (text) => text.replace("'./removable'", "'./cache/removable'")),
      'src/removable.ts': null,
      'src/cache/removable.ts': textOf(sources, 'src/removable.ts').replaceAll(/ from '\.\//g, " from '../"),
    },
  });

const dedented = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'the model forgets the indentation of a method',
    *model() {
      const [text] = yield [read('src/removable.ts')];
      const block = blockAt(text, 'protected clearGcTimeout', '  }');
      const dedent = (code: string): string => code.replaceAll(/^ {2}/gm, '');
      yield [
        edit('src/removable.ts', dedent(block), dedent(block).replace('clearGcTimeout()', 'clearGcTimeout(): void')),
      ];
      return 'I propose a return type.';
    },
    after: changed(sources, 'src/removable.ts', (text) =>
      text.replace('protected clearGcTimeout() {', 'protected clearGcTimeout(): void {'),
    ),
  });

const leftOut = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'the model leaves out what a method has, and then writes it',
    *model() {
      const [text] = yield [read('src/notifyManager.ts', 40, 70)];
      const block = blockAt(text, 'const flush', '  }');
      const head = block.split('\n').slice(0, 3).join('\n');
      yield [
        edit(
          'src/notifyManager.ts',
          block,
          `${head}\n    if (originalQueue.length === 0) return\n    // ... rest of the function\n  }`,
        ),
      ];
      yield [edit('src/notifyManager.ts', head, `${head}\n    if (originalQueue.length === 0) return`)];
      return 'I propose an early return.';
    },
    after: changed(sources, 'src/notifyManager.ts', (text) =>
      text.replace(
        '    queue = []\n    if (originalQueue.length) {',
        '    queue = []\n    if (originalQueue.length === 0) return\n    if (originalQueue.length) {',
      ),
    ),
    refused: [/^Refused: line 5 of newString replaces code that was left out/],
  });

const blocks = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'a model without tools answers with search and replace blocks',
    settings: { 'svc.tools.enabled': false },
    model({ path }) {
      const retry = 'function defaultRetryDelay(failureCount: number)';
      const listeners = '  protected listeners = new Set<TListener>()';
      return answering(
        [
          replacement(path('src/retryer.ts'), `${retry} {`, `${retry}: number {`),
          replacement(path('src/subscribable.ts'), listeners, listeners.replace('listeners', 'readonly listeners')),
        ].join('\n'),
      );
    },
    user: async (user) => {
      await user.attach('src/retryer.ts', 'src/subscribable.ts');
      await user.ask('Please add a return type, and make the listeners read-only.');
      await user.proposeAll();
      await user.accept();
    },
    after: {
      ...changed(sources, 'src/retryer.ts', (text) =>
        text.replace('Delay(failureCount: number) {', 'Delay(failureCount: number): number {'),
      ),
      ...changed(sources, 'src/subscribable.ts', (text) =>
        text.replace('protected listeners', 'protected readonly listeners'),
      ),
    },
  });

const oldVersion = (sources: Sources): Task => {
  const line = "  return typeof value === 'number' && value >= 0 && value !== Infinity";
  return inPackage(sources, {
    name: 'the model edits an old version of a file, and then reads it again',
    *model() {
      const texts = yield* readAround('function isValidTimeout');
      const known = lineWith(texts.get('src/utils.ts'), 'value >= 0');
      yield 'Shall it be finite?';
      yield [edit('src/utils.ts', known, '  return Number.isFinite(value) && value >= 0')];
      const [now] = yield [read('src/utils.ts', 140, 152)];
      yield [editLine('src/utils.ts', now, 'value > 0', () => '  return Number.isFinite(value) && value > 0')];
      return 'I propose Number.isFinite().';
    },
    user: async (user) => {
      await user.ask();
      await user.put({ 'src/utils.ts': textOf(sources, 'src/utils.ts').replace(line, line.replace('>=', '>')) });
      await user.ask('Yes.');
      await user.accept();
    },
    after: changed(sources, 'src/utils.ts', (text) =>
      text.replace(line, '  return Number.isFinite(value) && value > 0'),
    ),
    undone: changed(sources, 'src/utils.ts', (text) => text.replace(line, line.replace('>=', '>'))),
    // On a busy machine, VS Code reloads the file late.
    refused: [
      /^Refused: oldString is not in the file|^Refused: the file has no line of oldString|has an older text of it/,
    ],
  });
};

const halfAccepted = (sources: Sources): Task => {
  const half = (text: string): string => text.replace('listeners = new Set', 'readonly listeners = new Set');
  return inPackage(sources, {
    name: 'half accepted, then gone on with from what is written',
    *model() {
      const [text] = yield [read('src/subscribable.ts')];
      yield [
        editLine('src/subscribable.ts', text, 'protected listeners', (line) =>
          line.replace('listeners', 'readonly listeners'),
        ),
        editLine('src/subscribable.ts', text, 'hasListeners(): boolean', (line) =>
          line.replace('hasListeners', 'isObserved'),
        ),
        rename('src/subscribable.ts', 'src/observable.ts'),
      ];
      yield 'I propose three changes.';
      const [now] = yield [read('src/subscribable.ts')];
      yield [
        editLine('src/subscribable.ts', now, 'readonly listeners', (line) => line.replace('protected', 'private')),
      ];
      return 'I propose one more.';
    },
    user: async (user) => {
      await user.ask();
      await user.decideHunk('src/observable.ts', 0, 'accept');
      await user.reject('src/observable.ts');
      await user.ask('Keep the names. Make the listeners private.');
      await user.accept();
    },
    after: changed(sources, 'src/subscribable.ts', (text) =>
      half(text).replace('protected readonly', 'private readonly'),
    ),
  });
};

const split = (sources: Sources): Task =>
  inPackage(sources, {
    name: 'a function gets a file of its own',
    *model() {
      const texts = yield* readAround('defaultRetryDelay', 8);
      const code = blockAt(texts.get('src/retryer.ts'), 'function defaultRetryDelay', '}');
      yield [
        write('src/defaultRetryDelay.ts', `export ${code}\n`),
        edit('src/retryer.ts', `${code}\n\n`, ''),
        edit(
          'src/retryer.ts',
          "import { focusManager } from './focusManager'\n",
          "import { defaultRetryDelay } from './defaultRetryDelay'\nimport { focusManager } from './focusManager'\n",
        ),
      ];
      return 'I propose a file for the delay.';
    },
    after: {
      'src/defaultRetryDelay.ts':
        'export function defaultRetryDelay(failureCount: number) {\n  return Math.min(1000 * 2 ** failureCount, 30000)\n}\n',
      ...changed(sources, 'src/retryer.ts', (text) =>
        text
          .replace(/function defaultRetryDelay[\s\S]*?\n}\n\n/, '')
          .replace(
            'import { focusManager }',
            "import { defaultRetryDelay } from './defaultRetryDelay'\nimport { focusManager }",
          ),
      ),
    },
  });

const rewritten = (sources: Sources): Task => {
  const small = "export const isServer = (): boolean => typeof window === 'undefined'\n";
  return inPackage(sources, {
    name: 'a short file is written anew, a long one only edited; a file goes',
    *model() {
      yield [write('src/environmentManager.ts', small)];
      yield [read('src/environmentManager.ts'), read('src/query.ts', 1, 40), read('src/streamedQuery.ts', 1, 10)];
      yield [
        write('src/environmentManager.ts', small),
        write('src/query.ts', 'export class Query {}\n'),
        remove('src/streamedQuery.ts'),
      ];
      const texts = yield* readAround('streamedQuery');
      const line = lineWith(texts.get('src/index.ts'), './streamedQuery');
      yield [edit('src/index.ts', `${line}\n\n`, '')];
      return 'I propose a short environmentManager.ts.';
    },
    after: {
      'src/environmentManager.ts': small,
      'src/streamedQuery.ts': null,
      ...changed(sources, 'src/index.ts', (text) => text.replace(/export \{ streamedQuery.*\n\n/, '')),
    },
    asked: [/^Delete .*src\/streamedQuery\.ts\?$/],
    refused: [
      ...[/^Refused: read the whole file first/, /^Refused: the file has more than 400 lines/],
      /^Refused: this file is proposed to be deleted/,
    ],
  });
};
