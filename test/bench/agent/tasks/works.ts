import {
  answering,
  blockAt,
  edit,
  foundIn,
  linesOf,
  lineWith,
  list,
  read,
  remove,
  rename,
  replacement,
  search,
  type Task,
  write,
} from '../task.ts';

const pay = 'export function pay(amount: number): number {\n  return amount;\n}\n';
const caller = (name: string): string =>
  `import { answering, pay } from './pay';\n\nexport const ${name} = pay(10);\nexport const twice = pay(20);\n`;

const renameOver3: Task = {
  name: 'rename a function over 3 files',
  files: {
    'src/pay.ts': pay,
    'src/shop.ts': caller('shop'),
    'src/tax.ts': caller('tax'),
    'src/other.ts': 'export {};\n',
  },
  *model() {
    const [found] = yield [search('pay')];
    for (const path of foundIn(found)) {
      const [text] = yield [read(path)];
      const uses = linesOf(text).filter((line) => /\bpay\b/.test(line));
      yield uses.map((line) => edit(path, line, line.replace(/\bpay\b(?!')/, 'charge')));
    }
    return 'I propose to rename pay to charge.';
  },
  after: {
    'src/pay.ts': pay.replace('pay', 'charge'),
    'src/shop.ts': caller('shop').replaceAll(/\bpay\b(?!')/g, 'charge'),
    'src/tax.ts': caller('tax').replaceAll(/\bpay\b(?!')/g, 'charge'),
  },
};

const callers = [1, 2, 3, 4, 5].map((at) => `src/caller${at}.ts`);
const newParameter: Task = {
  name: 'a new parameter with 5 callers',
  files: {
    'src/pay.ts': pay,
    ...Object.fromEntries(
      callers.map((path, at) => [path, `import { pay } from './pay';\nexport const sum = pay(${at});\n`]),
    ),
  },
  *model() {
    const [found] = yield [search('pay(')];
    const results = yield foundIn(found).map((path) => read(path));
    const signature = lineWith(results.at(-1), 'function pay');
    yield [edit('src/pay.ts', signature, signature.replace('amount: number', 'amount: number, currency: string'))];
    yield callers.map((path, at) => {
      const call = lineWith(results[at], 'pay(');
      return edit(path, call, call.replace(/pay\((.*)\)/, "pay($1, 'EUR')"));
    });
    return 'I propose the parameter currency.';
  },
  after: {
    'src/pay.ts': pay.replace('amount: number', 'amount: number, currency: string'),
    ...Object.fromEntries(
      callers.map((path, at) => [path, `import { pay } from './pay';\nexport const sum = pay(${at}, 'EUR');\n`]),
    ),
  },
};

const newFile: Task = {
  name: 'a new file and its import',
  files: { 'src/main.ts': "import { pay } from './pay';\n\npay(1);\n", 'src/pay.ts': pay },
  *model() {
    const [main] = yield [read('src/main.ts')];
    const line = lineWith(main, 'import');
    yield [
      write('src/money/round.ts', 'export const round = Math.round;\n'),
      edit('src/main.ts', line, `${line}\nimport { round } from './money/round';`),
      edit('src/main.ts', 'pay(1);', 'pay(round(1.2));'),
    ];
    return 'I propose a file for rounding.';
  },
  after: {
    'src/money/round.ts': 'export const round = Math.round;\n',
    'src/main.ts': "import { pay } from './pay';\nimport { round } from './money/round';\n\npay(round(1.2));\n",
  },
};

const deadFile: Task = {
  name: 'a dead file and its import',
  files: {
    'src/main.ts': "import './old';\nimport './pay';\n",
    'src/old.ts': 'export const old = 1;',
    'src/pay.ts': pay,
  },
  *model() {
    const [found] = yield [search('old')];
    const path = foundIn(found).find((one) => one !== 'src/old.ts') ?? '';
    const [main] = yield [read(path), read('src/old.ts')];
    yield [edit(path, `${lineWith(main, './old')}\n`, ''), remove('src/old.ts')];
    return 'I propose to delete src/old.ts.';
  },
  after: { 'src/main.ts': "import './pay';\n", 'src/old.ts': null },
  asked: [/^Delete .*src\/old\.ts\?$/],
};

const move: Task = {
  name: 'a file is moved, and its imports follow',
  files: {
    'src/pay.ts': `import { tax } from './tax';\n${pay}`,
    'src/tax.ts': 'export const tax = 1;\n',
    'src/shop.ts': caller('shop'),
  },
  *model() {
    const [shop, moved] = yield [read('src/shop.ts'), read('src/pay.ts')];
    yield [rename('src/pay.ts', 'src/money/pay.ts')];
    yield [
      edit('src/money/pay.ts', lineWith(moved, './tax'), lineWith(moved, './tax').replace('./tax', '../tax')),
      edit('src/shop.ts', lineWith(shop, './pay'), lineWith(shop, './pay').replace('./pay', './money/pay')),
    ];
    return 'I propose to move src/pay.ts.';
  },
  after: {
    'src/pay.ts': null,
    'src/money/pay.ts': `import { tax } from '../tax';\n${pay}`,
    'src/shop.ts': caller('shop').replace('./pay', './money/pay'),
  },
};

/** Changes the second line of a file, and adds one after it. */
const changing = (name: string, before: string | Uint8Array, after: string | Uint8Array): Task => ({
  name,
  files: { 'a.txt': before },
  *model() {
    const [text] = yield [read('a.txt')];
    const second = linesOf(text)[1] ?? '';
    yield [edit('a.txt', second, `${second.replace('two', 'zwölf')}\n${second}`)];
    return 'Please check it.';
  },
  after: { 'a.txt': after },
});

const crlf = changing('line ends of Windows', 'one\r\ntwo\r\nthree\r\n', 'one\r\nzwölf\r\ntwo\r\nthree\r\n');
const noLineEnd = changing('a last line without an end', 'one\ntwo', 'one\nzwölf\ntwo');
const byteOrderMark = changing(
  'a byte order mark and umlauts',
  '\ufeffgrün\r\n\ttwo ß\r\nüber',
  '\ufeffgrün\r\n\tzwölf ß\r\n\ttwo ß\r\nüber',
);

const tabs: Task = {
  name: 'a file with tabs, which the model copies as spaces',
  files: { 'src/pay.go': 'func pay() {\n\tif isPaid {\n\t\treturn 1\n\t}\n}\n' },
  *model() {
    const [text] = yield [read('src/pay.go')];
    const block = blockAt(text, 'if isPaid', '\t}').replaceAll('\t', '    ');
    yield [edit('src/pay.go', block, block.replace('return 1', 'return 2'))];
    return 'I propose to return 2.';
  },
  after: { 'src/pay.go': 'func pay() {\n\tif isPaid {\n\t\treturn 2\n\t}\n}\n' },
};

const unsaved: Task = {
  name: 'a file with unsaved changes of the user stays unsaved',
  files: { 'src/pay.ts': pay, 'src/tax.ts': 'export const tax = 1;\n' },
  *model() {
    const [text] = yield [read('src/pay.ts'), read('src/tax.ts')];
    yield [
      edit('src/pay.ts', lineWith(text, 'typed'), '// typed by the user'),
      edit('src/tax.ts', 'tax = 1', 'tax = 2'),
    ];
    return 'Please check it.';
  },
  user: async (user) => {
    const document = await user.type('src/pay.ts', '// typed\n');
    await user.ask();
    await user.accept();
    if (document.getText() !== `// typed by the user\n${pay}`) throw new Error(`The text is ${document.getText()}`);
    if (!document.isDirty) throw new Error('It was saved.');
  },
  after: { 'src/tax.ts': 'export const tax = 2;\n' },
};

const row = (at: number): string => `const row${at} = total(${at});`;
const rows = (change: (at: number) => string): string =>
  Array.from({ length: 10_000 }, (_, at) => `${change(at)}\n`).join('');
const long: Task = {
  name: 'three places in 10,000 lines, of which the model reads some',
  files: { 'src/rows.ts': rows(row) },
  *model() {
    const [found] = yield [search('row7000 =')];
    const line = Number(/:(\d+): /.exec(found ?? '')?.[1]);
    const [text] = yield [read('src/rows.ts', line - 2, line + 2)];
    const wanted = lineWith(text, 'row7000 ');
    yield [
      edit('src/rows.ts', wanted, wanted.replace('total', 'sum')),
      edit('src/rows.ts', row(0), row(0).replace('total', 'sum')),
      edit('src/rows.ts', row(9_999), row(9_999).replace('total', 'sum')),
    ];
    return 'I propose three sums.';
  },
  after: { 'src/rows.ts': rows((at) => ([0, 7_000, 9_999].includes(at) ? row(at).replace('total', 'sum') : row(at))) },
};

const halfAccepted: Task = {
  name: 'half accepted, then gone on with',
  files: { 'src/pay.ts': `${pay}\nexport const limit = 1;\n`, 'src/tax.ts': 'export const tax = 1;\n' },
  *model({ body }) {
    const [first] = yield [read('src/pay.ts'), read('src/tax.ts')];
    yield [
      edit('src/pay.ts', lineWith(first, 'return amount'), '  return 2 * amount;'),
      edit('src/pay.ts', lineWith(first, 'limit'), 'export const limit = 2;'),
      edit('src/tax.ts', 'tax = 1', 'tax = 2'),
    ];
    yield 'I propose three changes.';
    const [now] = yield [read('src/pay.ts')];
    if (!linesOf(now).includes('export const limit = 1;')) throw new Error(`It read what was rejected: ${now}`);
    if (!body().messages.some(({ content }) => content.includes('return 2 * amount')))
      throw new Error('It forgot its calls.');
    yield [edit('src/pay.ts', lineWith(now, 'limit'), 'export const limit = 3;')];
    return 'I propose another limit.';
  },
  user: async (user) => {
    await user.ask();
    await user.decideHunk('src/pay.ts', 1, 'reject');
    await user.decideHunk('src/pay.ts', 0, 'accept');
    await user.reject('src/tax.ts');
    await user.ask('Please make the limit 3.');
    await user.accept();
  },
  after: { 'src/pay.ts': `${pay.replace('return amount', 'return 2 * amount')}\nexport const limit = 3;\n` },
};

const atOnce: Task = {
  name: '5 calls in one answer, three of them for one file',
  files: { 'src/pay.ts': pay, 'src/tax.ts': 'export const tax = 1;\n' },
  *model() {
    yield [list('src'), read('src/pay.ts')];
    const results = yield [
      edit('src/pay.ts', 'amount: number', 'euros: number'),
      edit('src/pay.ts', '  return amount;', '  return euros;'),
      edit('src/pay.ts', '  return euros;', '  return Math.round(euros);'),
      write('src/fee.ts', 'export const fee = 1;\n'),
      rename('src/fee.ts', 'src/fees.ts'),
    ];
    if (results.length !== 5) throw new Error(`${results.length} results`);
    return 'Please check it.';
  },
  after: {
    'src/pay.ts': 'export function pay(euros: number): number {\n  return Math.round(euros);\n}\n',
    'src/fees.ts': 'export const fee = 1;\n',
  },
};

const oddNames: Task = {
  name: 'names of routes, with spaces, and in other scripts',
  files: { 'app/(shop)/[id]/page.tsx': pay, 'app/$id.tsx': pay, 'docs/Über uns.md': 'one\n', 'docs/メモ.md': 'one\n' },
  *model() {
    yield [read('app/(shop)/[id]/page.tsx'), read('app/$id.tsx'), read('docs/Über uns.md'), read('docs/メモ.md')];
    yield [
      edit('app/(shop)/[id]/page.tsx', 'return amount', 'return 1'),
      rename('app/$id.tsx', 'app/[[...id]]/$id.tsx'),
      edit('docs/Über uns.md', 'one', 'eins'),
      edit('docs/メモ.md', 'one', '一'),
      write('docs/Größe & Maß.md', 'neu\n'),
    ];
    return 'Please check it.';
  },
  after: {
    'app/(shop)/[id]/page.tsx': pay.replace('return amount', 'return 1'),
    'app/$id.tsx': null,
    'app/[[...id]]/$id.tsx': pay,
    'docs/Über uns.md': 'eins\n',
    'docs/メモ.md': '一\n',
    'docs/Größe & Maß.md': 'neu\n',
  },
};

const planned: Task = {
  name: 'a plan is made by reading alone, then carried out',
  files: { 'src/pay.ts': pay },
  *model({ body }) {
    if (body().tools.some(({ name }) => /^(edit|write|delete|rename)_file$/.test(name)))
      throw new Error('It can propose.');
    const [text] = yield [read('src/pay.ts')];
    yield [edit('src/pay.ts', '  return amount;', '  return 1;')];
    yield '1. Make pay() return twice the amount.';
    if (!body().tools.some(({ name }) => name === 'edit_file')) throw new Error('It cannot propose.');
    yield [edit('src/pay.ts', lineWith(text, 'return'), '  return 2 * amount;')];
    return 'I did what was planned.';
  },
  user: async (user) => {
    await user.choose('plan');
    await user.ask('Please plan it.');
    await user.carryOut();
    await user.accept();
  },
  after: { 'src/pay.ts': pay.replace('return amount', 'return 2 * amount') },
  refused: [/^Refused: no tool of this name was offered/],
};

const withoutTools: Task = {
  name: 'a model without tools answers with blocks for two files, and with a new one',
  files: { 'src/pay.ts': pay, 'src/tax.ts': "import { pay } from './pay';\n\nexport const tax = pay(1);\n" },
  settings: { 'svc.tools.enabled': false },
  model({ path }) {
    return answering(
      [
        'Three files change:',
        replacement(path('src/pay.ts'), '  return amount;', '  return 2 * amount;'),
        replacement(path('src/tax.ts'), 'export const tax = pay(1);', 'export const tax = pay(2);'),
        `\`\`\`ts title="${path('src/fee.ts')}"\nexport const fee = 1;\n\`\`\`\n`,
      ].join('\n'),
    );
  },
  user: async (user) => {
    await user.attach('src/pay.ts', 'src/tax.ts');
    await user.ask();
    await user.proposeAll();
    await user.accept();
  },
  after: {
    'src/pay.ts': pay.replace('return amount', 'return 2 * amount'),
    'src/tax.ts': "import { pay } from './pay';\n\nexport const tax = pay(2);\n",
    'src/fee.ts': 'export const fee = 1;\n',
  },
};

export const works: readonly Task[] = [
  ...[renameOver3, newParameter, newFile, deadFile, move, crlf, tabs, noLineEnd, byteOrderMark, unsaved, long],
  ...[halfAccepted, atOnce, oddNames, planned, withoutTools],
];

export const inTwoFolders: readonly Task[] = [
  {
    name: 'two workspace folders with a file of the same name',
    files: { 'shop/pay.ts': pay, 'lib/pay.ts': pay },
    *model() {
      const [shop, lib] = yield [read('shop/pay.ts'), read('lib/pay.ts')];
      yield [
        edit('shop/pay.ts', lineWith(shop, 'return'), '  return 1;'),
        edit('lib/pay.ts', lineWith(lib, 'return'), '  return 2;'),
        write('lib/fee.ts', 'export const fee = 1;\n'),
      ];
      return 'Please check it.';
    },
    after: {
      'shop/pay.ts': pay.replace('return amount', 'return 1'),
      'lib/pay.ts': pay.replace('return amount', 'return 2'),
      'lib/fee.ts': 'export const fee = 1;\n',
    },
  },
];
