import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Fingerprints } from '../../../../src/gate/fingerprints/fingerprints.ts';
import { passagesIn, withPassagesLeftOut } from '../../../../src/gate/fingerprints/leaveOut.ts';
import { licenses } from '../../../../src/gate/fingerprints/licenses.ts';
import { normalize } from '../../../../src/gate/fingerprints/normal.ts';
import { constants } from '../../../../src/gate/fingerprints/publicTexts.ts';
import { isSecretLooking } from '../../../../src/gate/fingerprints/values.ts';
import { unprefixedRoom, withoutPrefixes } from '../../../../src/gate/fingerprints/withoutPrefixes.ts';
import { inSlices } from '../../../../src/gate/secrets/pace.ts';
import { environmentFile } from '../../../fuzz/fingerprint/files.ts';
import { routes } from '../../../fuzz/fingerprint/routes.ts';
import { Dice } from '../../../tools/dice.ts';
import { finished } from '../../../tools/processorTime.ts';

// Assembled here, so that secret scanners find nothing in this file.
const password = ['Wi', 'nter-7f3Kq!'].join('');
const environment = [
  '# The database of the shop',
  'SHOP_REGION=eu-central-1',
  'SHOP_DATABASE=orders_of_the_northern_warehouse',
  `SHOP_PASSWORD=${password}`,
  'SHOP_MAILBOX=returns-and-refunds@warehouse.invalid',
].join('\n');

function of(...texts: readonly string[]): Fingerprints {
  const prints = new Fingerprints();
  for (const [index, text] of texts.entries()) finished(prints.add({ file: index + 1, text, isCredential: true }));
  return prints;
}

const lettersOf = (text: string, isPart = false): string => {
  const normal = finished(normalize(text, isPart));
  return String.fromCharCode(...withoutPrefixes(normal, 'all', unprefixedRoom(text.length)).units);
};

describe('gate: fingerprints of excluded files', () => {
  it('reduce a text to its letters and digits, whatever a listing, a format or a terminal added', () => {
    const same = [
      'KEY=a b',
      '12: KEY=a b',
      '41| KEY=a b',
      '  7 | KEY=a b',
      'src/.env:12:KEY=a b',
      'src/.env-12-KEY=a b',
    ];
    same.push(
      './.env:KEY=a b',
      'app-1  | KEY=a b',
      'C:\\x\\.env:3:KEY=a b',
      '> + key = "A" b',
      '\x1b[1;31mKEY\x1b[0m=a b',
    );
    same.push(
      'KEY%3Da%20b',
      'KEY%253Da b',
      'KEY&#61;a&nbsp;b',
      'KEY&amp;quot;=a b',
      '\\x4bEY=a\\tb',
      '\\\\u004bEY=a\\\\nb',
    );
    for (const text of same) assert.equal(lettersOf(text), 'keyab', text);
    assert.equal(lettersOf('Größe 12 Ключ 鍵\u200b'), 'gre12Ключ鍵');
    assert.equal(lettersOf('2024-11', true), '202411');
    for (const text of ['', '\\', '%', '&', '&#', '&#x;', '\\u', '\\u00', '%2', '\x1b[', '1', '\ud800'])
      lettersOf(text);
  });

  it('find the file on each of 59 routes', () => {
    const prints = of(environment);
    for (const [name, route] of Object.entries(routes)) {
      const text = `Before it.\n\n${route(environment.split('\n'), new Dice(1))}\n\nAfter it.`;
      assert.notEqual(finished(prints.find(text)).length, 0, name);
    }
  });

  it('find base64 and hexadecimal digits, and values in them, whatever is before, after or between them', () => {
    const prints = of(environment, `API_SECRET=${password.repeat(2)}`);
    const all = Buffer.from(environment);
    const [hex, base64] = [all.toString('hex'), all.toString('base64url')];
    const wrapped = hex.replace(/.{80}/g, '$&\n');
    const value = Buffer.from(password.repeat(2)).toString('hex');
    const digest = createHash('sha1').update('a').digest('hex');
    const comment = Buffer.from(`# ${'пароль от склада '.repeat(8)}\n${environment}`);
    for (const text of [
      ...['root@host', 'admin@host', 'That is all.', 'NEXT=1', 'other: 1'].map((next) => `DATA=${hex}\n${next}`),
      ...['0x', '\\x', '/kv/', 'name_', 'e', 'abc', '+', '-', '"\\n', '"\\t'].map(
        (before) => before + hex.toUpperCase(),
      ),
      ...[`${hex}/x`, `${hex}_x`, `\n+${hex}\n`, `k0=${value}\nk1=${value}\nk2=2`, `${value}-${value}`],
      ...[`${wrapped}\nroot@host`, `${wrapped}\nadd`, `${digest}\n${wrapped}`, wrapped.replace(/^/gm, '+')],
      ...['/api/v1/upload/', '/files/', 'a_b-c/', `${'/0a'.repeat(60)}/`].map((path) => path + base64),
      ...[`${digest}\n${base64}`, `${base64.slice(0, 76)}\n${base64.slice(76)}\n${hex}`],
      ...[comment.toString('base64'), comment.toString('hex')],
    ]) {
      const left = finished(
        withPassagesLeftOut(text, finished(passagesIn(text, finished(prints.find(text)), () => 'a'))),
      );
      for (const part of [hex, base64, value, value.toUpperCase()]) {
        assert.ok(!left.includes(part.slice(4, 40)) && !left.includes(part.slice(-40)), text);
      }
      assert.notEqual(left, text);
    }
    assert.deepEqual(finished(prints.find(`0x${digest}\n${digest.repeat(9)}/${digest}`)), []);
  });

  it('find the rows of a table of numbers, which begin like line numbers, with line numbers and without', () => {
    const rows = Array.from(
      { length: 9 },
      (_, row) => `${70 + row},${4711 * (row + 3)},${90001 - row * 77},${row * 31}`,
    );
    for (const isCredential of [true, false]) {
      const prints = new Fingerprints();
      finished(prints.add({ file: 1, text: rows.join('\n'), isCredential }));
      for (const name of ['as it is', 'cat -n', 'grep -rn', 'table of Markdown', 'JSON array of lines']) {
        const found = finished(prints.find(routes[name]?.(rows, new Dice(1)) ?? ''));
        assert.notEqual(found.length, 0, `${name} ${isCredential}`);
      }
      assert.deepEqual(finished(prints.find(rows.map((row) => row.replaceAll(/\d/g, '7')).join('\n'))), []);
    }
  });

  it('find a value in a cell of a table, and a number alone on its line', () => {
    const card = ['4111 1111', '1111 1111'].join(' ');
    const prints = of(`SHOP_PASSWORD=${password}\nCARD_TOKEN=${card}\nAPI_SECRET=qw7zk3hv`);
    for (const text of [
      ` 1 | SHOP_PASSWORD | ${password} | t`,
      `| qw7zk3hv | x |`,
      ' API_SECRET | qw7zk3hv | 2024',
      `\n${card}\n`,
      `7,${card},x`,
      card.replaceAll(' ', ''),
      'API_SECRET\n  qw7zk3hv  |',
    ])
      assert.equal(finished(prints.find(text))[0]?.kind, 'value', text);
  });

  it('find a run of 32 letters and digits anywhere, and none of 31', () => {
    const secret = new Dice(3).text(400, 'bcdfghjklmnpqrstvwxz').replace(/(.{9})/g, '$1 ');
    const letters = secret.replaceAll(' ', '');
    const prints = of(`note ${secret}`);
    for (let from = 0; from + 32 <= 380; from += 1) {
      const found = finished(prints.find(`Ä${letters.slice(from, from + 32)}Ä`));
      assert.equal(found.length, 1, `${from}`);
      assert.deepEqual([found[0]?.start, found[0]?.end], [1, 33]);
      assert.deepEqual(finished(prints.find(`Ä${letters.slice(from, from + 31)}Ä`)), [], `${from}`);
    }
  });

  it('find a value alone, also in an address, and not as a part of another word', () => {
    const prints = of(environment, `URL=${['postgres://app:q7', 'Kx2mPz@db:5432/shop'].join('')}\n`);
    for (const text of [password, `'${password}'`, `x=${password};`, encodeURIComponent(password), 'q7Kx2mPz']) {
      const [found] = finished(prints.find(`It is ${text}, I think.`));
      assert.equal(found?.kind, 'value', text);
    }
    for (const text of ['Winter-7f3Kqx', 'q7Kx2mPza', 'aq7Kx2mPz', 'eu-central-1', 'northern', 'shop']) {
      assert.deepEqual(finished(prints.find(`It is ${text}, I think.`)), [], text);
    }
  });

  it('take a value for a secret by its name and its form', () => {
    const secret = [
      ['DB_PASSWORD', 'x7!kQ2p'],
      ['API_KEY', 'abcdefghijklmnop'],
      ['ID', 'a1b2c3d4e5f6a7b8'],
      ['PIN', '84620175'],
    ];
    for (const [name = '', value = ''] of secret) assert.ok(isSecretLooking({ name, value }), value);
    const open = [
      ['REGION', 'eu-central-1'],
      ['PASSWORD', 'admin123'],
      ['SECRET', 'changeme'],
      ['TOKEN', '$TOKEN'],
    ];
    open.push(['KEY_FILE', '/etc/ssl/key.pem'], ['AUTH_URL', 'https://login.example.com/oauth2'], ['PORT', '84620175']);
    open.push(['TOKEN', 'true'], ['PASSWORD', 'abc'], ['NAME', 'the northern warehouse']);
    for (const [name = '', value = ''] of open) assert.ok(!isSecretLooking({ name, value }), value);
  });

  it('pass what an example of the file has, and its names, but no token that was copied there', () => {
    const token = new Dice(7).text(40, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    const lines = [
      '# Where the orders of the warehouse are kept',
      'A_VERY_LONG_NAME_OF_A_SETTING_OF_THE_SHOP=',
      'SHOP_NAME=the shop around the corner',
    ];
    const prints = new Fingerprints();
    finished(prints.addPublic([...lines, `SHOP_TOKEN=${token}`].join('\n')));
    finished(prints.add({ file: 1, text: [...lines, `SHOP_TOKEN=${token}`].join('\n'), isCredential: true }));
    assert.deepEqual(finished(prints.find(lines.join('\n'))), []);
    assert.deepEqual(finished(prints.find('process.env.A_VERY_LONG_NAME_OF_A_SETTING_OF_THE_SHOP')), []);
    assert.equal(finished(prints.find(`token: ${token}`))[0]?.kind, 'value');
    assert.equal(finished(prints.find(`token: ${token.slice(5, 25)}`))[0]?.kind, 'value');
  });

  it('tell two keys of a kind apart, whatever they have in common', () => {
    const pem = (kind: 'rsa' | 'ec' | 'ed25519', type: 'pkcs8' | 'pkcs1' | 'sec1', bits = 2048): string => {
      const { privateKey } = (
        generateKeyPairSync as (kind: string, options: object) => { privateKey: { export(options: object): string } }
      )(kind, { modulusLength: bits, namedCurve: 'P-256' });
      return String(privateKey.export({ type, format: 'pem' }));
    };
    for (const make of [
      () => pem('rsa', 'pkcs8'),
      () => pem('rsa', 'pkcs1'),
      () => pem('ec', 'pkcs8'),
      () => pem('ec', 'sec1'),
      () => pem('ed25519', 'pkcs8'),
    ]) {
      const [one, other] = apart([make(), make(), make(), make()]);
      const prints = new Fingerprints();
      for (const text of constants) finished(prints.addPublic(text, 'constant'));
      finished(prints.add({ file: 1, text: one, isCredential: true }));
      assert.deepEqual(finished(prints.find(other)), [], other);
      const lines = one.split('\n').filter((line) => line.length >= 48 && !line.startsWith('-'));
      for (const line of lines) {
        assert.notEqual(finished(prints.find(line.slice(line.length === 64 ? 32 : 8))).length, 0, line);
      }
    }
  });

  it('check a file that may be sent for values and tokens only', () => {
    const prints = of(environment);
    const found = finished(prints.find(environment, 'values'));
    assert.ok(found.length > 0);
    for (const { start, kind } of found) assert.deepEqual([kind, start], ['value', environment.indexOf(password)]);
    assert.deepEqual(finished(prints.find(environment.replace(password, ''), 'values')), []);
  });

  it('forget a file that may be sent again, and keep what another has', () => {
    const other = 'OTHER_TEXT=the quick brown fox jumps over the lazy dog';
    const prints = of(environment, other);
    finished(prints.add({ file: 3, text: environment, isCredential: true }));
    finished(prints.remove(new Set([1, 3])));
    assert.deepEqual(finished(prints.find(environment)), []);
    assert.notEqual(finished(prints.find(other)).length, 0);
    finished(prints.add({ file: 4, text: environment, isCredential: true }));
    assert.equal(finished(prints.find(environment))[0]?.file, 4);
  });

  it('say that a file is recognized only if a search finds it in itself', () => {
    const added = (text: string, isCredential = true) =>
      finished(new Fingerprints().add({ file: 1, text, isCredential }));
    assert.equal(added(environment), 'recognized');
    assert.equal(added(`SHOP_PASSWORD=${password}`), 'recognized');
    assert.equal(added('1234,5678,91011\n2234,6678,81011\n3234,7678,71011\n4234,8678,61011'), 'recognized');
    // Too short, without a secret and with what may be one.
    for (const text of ['PORT=3000', '# of the shop\nDEBUG=true\n', '{ "region": "eu-west-1" }', 'PASSWORD=changeme'])
      assert.equal(added(text), 'tooShort', text);
    for (const text of ['a', '4711\n', 'admin', 'PIN=4711', '# key: 4711', 'URL=ftp://a:b@c', 'A=1\nhunter'])
      assert.equal(added(text), 'notFound', text);
    assert.equal(added('a short note of a few words', false), 'tooShort');
    // There is nothing to find.
    for (const text of ['', '\n\n', '# ---\n']) assert.equal(added(text), 'recognized', text);
    const prints = new Fingerprints();
    for (const text of licenses) finished(prints.addPublic(text, 'constant'));
    const license = licenses.find((text) => text.includes('FITNESS')) ?? '';
    assert.equal(finished(prints.add({ file: 1, text: license, isCredential: false })), 'recognized');
  });

  it('hold no text, and differ from window to window', () => {
    const first = JSON.stringify(of(environment));
    assert.equal(first, '{}');
    assert.ok(of(environment).size < 2 * 1024 * 1024);
  });
});

describe('gate: fingerprints of source files', () => {
  const words = (seed: number, lines: number): string => {
    const dice = new Dice(seed);
    const word = (): string => dice.text(3 + dice.below(7), 'bcdfghjklmnpqrstvwxz');
    return Array.from({ length: lines }, () => Array.from({ length: 7 }, word).join(' ')).join('\n');
  };

  it('find five lines in a row, and no single word; less where there is more text', () => {
    for (const [bytes, shortest] of [
      [0, 60],
      [60_000_000, 140],
    ] as const) {
      const prints = new Fingerprints();
      prints.expect(bytes);
      const text = words(1, 200);
      finished(prints.add({ file: 1, text, isCredential: false }));
      const letters = text.replaceAll(/[ \n]/g, '');
      for (let from = 0; from + shortest < 4_000; from += 7) {
        const found = finished(prints.find(letters.slice(from, from + shortest)));
        assert.equal(found[0]?.kind, 'lines', `${from} of ${bytes}`);
        assert.deepEqual(finished(prints.find(letters.slice(from, from + 16))), []);
      }
      assert.deepEqual(finished(prints.find(words(2, 200))), []);
    }
  });

  it('report that there is no room for a file, and keep the files that were added before', () => {
    const prints = new Fingerprints(2 ** 10);
    assert.equal(finished(prints.add({ file: 1, text: words(3, 10), isCredential: true })), 'recognized');
    assert.equal(finished(prints.add({ file: 2, text: words(4, 200), isCredential: true })), 'noRoom');
    assert.equal(finished(prints.find(words(3, 10)))[0]?.file, 1);
    assert.ok(prints.size < 64 * 1024);
  });

  it('pass the text of a license in a file of any kind, in a comment or not, but not what is beside it', () => {
    const root = new URL('../../../../', import.meta.url);
    const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
    const texts = ['LICENSE', 'node_modules/diff/LICENSE', 'node_modules/once/LICENSE'].map(read);
    for (const text of texts) {
      for (const isCredential of [true, false]) {
        const license = text.replace(/^Copyright .*$/gm, isCredential ? '' : 'Copyright (c) 2024 Jane Doe');
        const prints = new Fingerprints();
        for (const text of licenses) finished(prints.addPublic(text, 'constant'));
        finished(prints.add({ file: 1, text: `${license}\n${words(8, 30)}`, isCredential }));
        for (const [name, route] of Object.entries(routes)) {
          if (!/^(?:as it is|comment|grep|line n|diff, a|JSON string$|CRLF|base64$)/.test(name)) continue;
          assert.deepEqual(finished(prints.find(route(license.split('\n'), new Dice(1)))), [], `${name} ${license}`);
        }
        const beside = finished(prints.find(`${license}\n${words(8, 30)}`));
        assert.ok(beside.length > 0 && beside.every(({ start }) => start > license.length - 60), license);
      }
    }
  });

  // What is found in these depends on the random key.
  const keys = 20;

  it('pass code of common words only, alphabets and names in mixed case, but not what is beside them', () => {
    const common = [
      "if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;",
      "Object.defineProperty(exports, '__esModule', { value: true });",
      "signal?.addEventListener('abort', onAbort, { once: true });\nsignal?.removeEventListener('abort', onAbort);",
      'return new Promise((resolve, reject) => queueMicrotask(resolve));',
      'return Object.fromEntries(Object.entries(value).map(([key, value]) => [key, String(value)]));',
      'for i in range(len(values)): print(i, values[i]); if value is None: raise ValueError from err',
      'public static void main(String[] args) throws Exception { System.out.println(args.length); }',
      '#ifndef X\n#define X\n#endif\nstd::vector<std::string> values; std::cout << values.size() << std::endl;',
      'if err != nil { return nil, fmt.Errorf("x: %w", err) }\nfunc (x *T) Error() string { return x.err.Error() }',
      "const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';",
      "const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';",
      'let options: Intl.DateTimeFormatOptions;',
      'CertificateCredentialOfClient',
    ];
    for (let key = 0; key < keys; key += 1) {
      const prints = new Fingerprints();
      for (const text of constants) finished(prints.addPublic(text, 'constant'));
      const beside = words(20 + key, 3);
      const text = common.map((code, index) => `${words(40 + index, 2)}\n${code}\n`).join('');
      assert.equal(finished(prints.add({ file: 1, text: text + beside, isCredential: false })), 'recognized');
      for (const code of common) assert.deepEqual(finished(prints.find(`${code}\nother();\n${code}`)), [], code);
      for (const code of common) assert.equal(finished(prints.find(`${code}\n${beside}`))[0]?.file, 1, code);
    }
  });

  it('find a passage wherever a listing cuts it into lines', () => {
    for (const [isCredential, length] of [
      [true, 36],
      [false, 60],
    ] as const) {
      const prints = new Fingerprints();
      const file = words(14, 3).replaceAll(/[ \n]/g, '');
      finished(prints.add({ file: 1, text: file, isCredential }));
      const passage = file.slice(20, 20 + length);
      for (let cut = 1; cut < length; cut += 1) {
        for (const [before, after] of [
          ['', ''],
          ['7: a line before\n', '\n10: a line after'],
          [`7: ${words(15, 1)}\n`, `\n10: ${words(16, 1)}`],
        ]) {
          const text = `${before}8: ${passage.slice(0, cut)}\n9: ${passage.slice(cut)}${after}`;
          assert.equal(finished(prints.find(text))[0]?.file, 1, text);
        }
      }
    }
  });

  it('count one place of a file once, in whatever variants a text has it', () => {
    const place = 'fields: string;\n}\nexport interface ConversationFolder {';
    const file = `${words(11, 5)}\n${place}\n${words(12, 5)}`;
    const variants = Array.from({ length: 8 }, (_, index) => place.slice(2 * index, 2 * index + 34));
    for (let key = 0; key < keys; key += 1) {
      const prints = new Fingerprints();
      finished(prints.add({ file: 1, text: file, isCredential: false }));
      const text = variants.map((variant, index) => `${words(60 + index, 1)}\n${variant}`).join('\n');
      assert.deepEqual(finished(prints.find(text)), []);
      assert.equal(finished(prints.find(`${words(13, 3)}\n${place}\n${words(12, 3)}`))[0]?.file, 1);
    }
  });

  it('find a short run that is repeated only where there is more of the file', () => {
    const prints = new Fingerprints();
    finished(prints.add({ file: 1, text: words(5, 50), isCredential: false }));
    const short = words(5, 50).replaceAll(/[ \n]/g, '').slice(100, 126);
    assert.deepEqual(finished(prints.find(Array(20).fill(short).join('\n+1 or\n'))), []);
  });
});

describe('gate: the search for excluded files', () => {
  const units = [
    environment,
    `${password} `,
    Buffer.from(environment).toString('base64'),
    'a',
    '\n',
    '\\',
    '&amp;',
    '%25',
  ];
  units.push(Buffer.from(environment).toString('hex'), `${Buffer.from(environment).toString('hex').slice(0, 24)}/`);
  units.push(`${Buffer.from(environment).toString('base64').slice(0, 24)} `, 'a/b:1:\n', `"${password}",`, '\u0410');

  it('may pause often in any text, however much is found', () => {
    const prints = of(environment);
    for (const unit of units) {
      const text = unit.repeat(Math.ceil((512 * 1024) / unit.length)).slice(0, 512 * 1024);
      let pauses = 0;
      for (const work = prints.find(text); work.next().done !== true; ) pauses += 1;
      assert.ok(pauses >= 8, JSON.stringify([unit.slice(0, 20), pauses]));
    }
  });

  it('pauses all the time in a text of 6 MB that is full of what is found, also while this is left out', () => {
    const prints = of(environment);
    const text = `${password} `.repeat(Math.ceil((6 * 1024 * 1024) / 14));
    const pausesOf = <T>(work: Generator<null, T>): readonly [pauses: number, result: T] => {
      for (let pauses = 0; ; pauses += 1) {
        const step = work.next();
        if (step.done === true) return [pauses, step.value];
      }
    };
    const [finding, found] = pausesOf(prints.find(text));
    const [joining, passages] = pausesOf(passagesIn(text, found, () => '.env'));
    const [leaving, left] = pausesOf(withPassagesLeftOut(text, passages));
    assert.ok(found.length > 400_000 && passages.length > 400_000);
    assert.ok(finding > 150 && joining > 150 && leaving > 100, `${finding} ${joining} ${leaving}`);
    assert.ok(!left.includes(password));
    assert.ok(found.every(({ start }, index) => start >= (found[index - 1]?.start ?? 0)));
  });

  it('have no more than 24 MiB, whatever is added, and say what does not fit', () => {
    let count = 0;
    const random = (): string => {
      count += 1;
      return createHash('sha256').update(String(count)).digest('base64url');
    };
    const values = (howMany: number): string =>
      Array.from({ length: howMany }, (_, at) => `KEY${at}=${random().slice(0, 8)}7k`).join('\n');
    const prints = new Fingerprints();
    finished(prints.addPublic(Array.from({ length: 10_000 }, random).join('\n')));
    finished(prints.addPublic(values(4_000)));
    assert.equal(finished(prints.add({ file: 1, text: values(10_000), isCredential: true })), 'recognized');
    // There is no room for as many values again.
    const more = values(12_000);
    assert.equal(finished(prints.add({ file: 2, text: more, isCredential: true })), 'noRoom');
    // One that is known needs none.
    assert.equal(
      finished(prints.add({ file: 3, text: more.slice(0, more.indexOf('\n')), isCredential: true })),
      'recognized',
    );
    let file = 4;
    const text = (): string => Array.from({ length: 4_000 }, random).join('\n');
    while (finished(prints.add({ file, text: text(), isCredential: true })) !== 'noRoom') file += 1;
    const mebibytes = prints.size / 1024 / 1024;
    assert.ok(file > 8 && mebibytes > 22 && mebibytes <= 24, `${mebibytes} MiB after ${file} files`);
  }).timeout(60_000);

  it('lets the event loop turn while it works', async () => {
    let isTurned = false;
    setImmediate(() => {
      isTurned = true;
    });
    const most = performance.now() + 60_000;
    function* working(): Generator<null, boolean> {
      while (!isTurned && performance.now() < most) yield null;
      return isTurned;
    }
    assert.equal(await inSlices(working()), true);
    isTurned = false;
    await assert.rejects(inSlices(working(), AbortSignal.abort()));
  });

  it('finds no part of the files with credentials of this repository’s tests in any other of its files', () => {
    const root = new URL('../../../../', import.meta.url);
    const paths = globSync(['{src,docs,l10n,media,test}/**/*.{ts,tsx,md,json,css}', '*.{md,json}'], {
      cwd: fileURLToPath(root),
      exclude: [
        '**/node_modules/**',
        'test/unit/gate/fingerprints/**',
        'test/unit/session/excludedContent.slow.test.ts',
        'test/fuzz/fingerprint/**',
      ],
    });
    const shown = 'test/e2e/stories/builtInChat.story.ts';
    const prints = of(...Array.from({ length: 20 }, (_, seed) => environmentFile(new Dice(seed + 1))), environment);
    assert.ok(paths.length > 800);
    for (const path of paths.filter((path) => path !== shown)) {
      assert.deepEqual(finished(prints.find(readFileSync(new URL(path, root), 'utf8'))), [], path);
    }
  }).timeout(60_000);
});

/** The two texts whose beginnings differ first: one pair of keys in a thousand has its first secret characters in common. */
function apart(texts: readonly string[]): readonly [string, string] {
  const pairs = texts.flatMap((one, index) => texts.slice(index + 1).map((other) => [one, other] as const));
  const shared = ([one, other]: readonly [string, string]): number =>
    [...one].findIndex((character, index) => character !== other[index]);
  return pairs.reduce((best, pair) => (shared(pair) < shared(best) ? pair : best));
}
