import assert from 'node:assert/strict';
import { leastCost, turnsOf } from '../../../tools/processorTime.ts';
import { excludedContentIn, MemoryWorkspace, moduleIn } from './stage.ts';
import { Uri } from './vscodeFiles.ts';

/** A workspace with excluded files of any bytes. */
class Bytes extends MemoryWorkspace {
  readonly #bytes: ReadonlyMap<string, Uint8Array>;

  constructor(files: Readonly<Record<string, Uint8Array>>) {
    super();
    this.files.set('/one/.svcignore', '*.txt\n');
    this.#bytes = new Map(Object.entries(files).map(([name, bytes]) => [`/one/${name}`, bytes]));
    for (const [path, bytes] of this.#bytes) this.files.set(path, Buffer.from(bytes).toString('latin1'));
  }

  override async readFile(path: string): Promise<Uint8Array> {
    return this.#bytes.get(path) ?? super.readFile(path);
  }
}

/** The state of the recognition of some excluded files, and the parts of which nothing is recognized. */
async function recognized(files: Readonly<Record<string, Uint8Array>>, parts: readonly string[]) {
  const content = await excludedContentIn(new Bytes(files));
  const everything = { isCompleteRequired: true, isQuick: false, excluded: [] };
  const { state, find } = await content.recognition(everything);
  const missed: string[] = [];
  for (const part of parts) if ((await find(part, undefined)).length === 0) missed.push(part);
  return { is: state.is, words: state.words, missed };
}

const secrets = ['Xk9#mQ2pL7vR', 'abcdEFGH1234ijklMNOP5678', 'Tr0ub4dor!x9Q'];
const settings = [
  ...['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/root', 'LANG=C.UTF-8', 'USER=app', 'SHELL=/bin/sh', 'TZ=UTC'],
  ...['SHLVL=1', 'DB_HOST=db.int', `DB_PASSWORD=${secrets[0]}`, `API_TOKEN=${secrets[1]}`, 'LOG=info'],
  ...['NODE_ENV=production', 'SMTP_HOST=mail.int', `SMTP_PASS=${secrets[2]}`, 'REGION=eu-1', '_=/usr/bin/env'],
];
const names = Array.from({ length: 120 }, (_, index) => `clients/contoso/deal-${index * 7919}/offer.pdf`);
const prose = 'das Schlüsselwort für das Lager gehört in die äußerste Ecke des Kellers\n';
const words = 'the ledgers of the western quarry are kept in the cellar below the old mill\n';

describe('an excluded file with NULs', () => {
  it('is recognized with NULs between its settings', async () => {
    for (const separator of ['\0', '\0\0\0\0', '\0\n']) {
      for (const encoding of ['utf8', 'latin1'] as const) {
        const text = [...settings, `NOTE=${prose.trim()}`].join(separator);
        const { is, missed } = await recognized({ '.env.dump': Buffer.from(text, encoding) }, [...secrets, prose]);
        assert.deepEqual([is, missed], ['complete', []], `${encoding} ${JSON.stringify(separator)}`);
      }
    }
  });

  it('is recognized with NULs between names, at even places too', async () => {
    for (const list of [names, names.map((name) => name.slice(0, 23)), names.map((name) => name.slice(-10, -4))]) {
      const text = list.map((name) => `${name}\0`).join('');
      const { is, missed } = await recognized({ 'list.txt': Buffer.from(text) }, [list.join('\n')]);
      assert.deepEqual([is, missed], ['complete', []], list[0]);
    }
  });

  it('is recognized in UTF-16 and UTF-32, also with ASCII that a program appended', async () => {
    const wide = Buffer.from(`${prose}${words}`.repeat(3), 'utf16le');
    const mark = Buffer.from('\ufeff', 'utf16le');
    const appended = Buffer.from(`DB_PASSWORD=${secrets[0]}\n`);
    const files = {
      '.env.one': wide,
      '.env.two': Buffer.from(wide).swap16(),
      '.env.three': Buffer.concat([mark, wide]),
      '.env.four': Buffer.from(Array.from(`${words}${prose}`, (letter) => [letter.charCodeAt(0), 0, 0, 0]).flat()),
      '.env.five': Buffer.concat([Buffer.from(words, 'utf16le'), Buffer.from(words, 'utf16le'), appended]),
      '.env.six': Buffer.concat([mark, wide, appended]),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const isMixed = bytes.includes(appended);
      const { is, missed } = await recognized({ [name]: bytes }, [
        prose,
        words,
        ...(isMixed ? [secrets[0] ?? ''] : []),
      ]);
      const expected = name === '.env.five' ? [prose] : [];
      assert.deepEqual([is, missed], ['complete', expected], name);
    }
  });

  it('is binary if most other bytes are not text', async () => {
    const bytes = Uint8Array.from({ length: 4_000 }, (_, index) => (index % 7 === 0 ? 0 : (index * index) % 251));
    for (const one of [bytes, new Uint8Array(100)]) {
      assert.match((await recognized({ 'data.txt': one }, [])).words, /not recognized: 1 binary$/);
    }
  });
});

type Decode = typeof import('../../../../src/platform/excludedContent/decodeExcluded.ts');

/** The bytes of each character in an encoding of one or two bytes. */
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding);
  const add = (bytes: readonly number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
  };
  for (let first = 0; first < 256; first += 1) add([first]);
  const isWide = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].includes(encoding);
  for (let first = 0x81; isWide && first < 0xff; first += 1)
    for (let next = 0x40; next < 0xff; next += 1) add([first, next]);
  return table;
}

function encoded(text: string, encoding: string): Uint8Array {
  const table = tableOf(encoding);
  return Uint8Array.from([...text].flatMap((letter) => table.get(letter) ?? assert.fail(`${encoding}: ${letter}`)));
}

const german = Array.from({ length: 60 }, (_, index) => `${index};Müller;Straße ${index};Köln;größer\n`).join('');
const russian = 'Служебный пароль хранится в папке у директора\nSQL-сервер и файл config.txt\n';
const texts: readonly (readonly [string, readonly string[]])[] = [
  [german, ['windows-1252', 'macintosh']],
  ['La clé du coffre a été confiée à Hélène, créée près de la fenêtre\n', ['windows-1252', 'macintosh']],
  [russian, ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic']],
  [russian.toUpperCase(), ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic']],
  ['for (const x of all) add(x); // счётчик записей\n', ['windows-1251', 'koi8-r', 'ibm866']],
  ['Hasło leży w szufladzie dyrektora, źdźbło żółć gęślą jaźń\n', ['windows-1250', 'iso-8859-2']],
  ['Şifre müdürün çekmecesinde, ışığı söndürün\n', ['windows-1254']],
  ['Slaptažodis yra direktoriaus stalčiuje, žąsis ėjo\n', ['windows-1257']],
  ['Ο κωδικός του χρηματοκιβωτίου είναι στο συρτάρι\n', ['windows-1253']],
  ['the angle αx and βy of the γ ray\n', ['windows-1253']],
  ['סיסמת המנהל נמצאת בארון הכחול\n', ['windows-1255']],
  ['كلمة السر للخزنة في درج المدير\n', ['windows-1256', 'iso-8859-6']],
  ['Ґалаґан переходить до іншого відділу, її пароль є в папці\n', ['windows-1251', 'koi8-u']],
  ['รหัสผ่านอยู่ในตู้สีน้ำเงินของผู้จัดการ\n', ['windows-874']],
  ['Mât khâu cu\u0309a qua\u0309n tri\u0323 viên nă\u0300m trong tu\u0309\n', ['windows-1258']],
  ['DBの接続設定：APIキーはXのYです。\nA社;B社\n', ['shift_jis', 'euc-jp', 'gb18030']],
  ['管理员密码在蓝色柜子里，合并将在五月宣布\n', ['gb18030']],
  ['管理員密碼在藍色櫃子裡\n', ['big5']],
  ['관리자 비밀번호는 파란 캐비닛에 있습니다\n', ['euc-kr']],
];

describe('an excluded file beyond ASCII', () => {
  it('is read in its encoding, and in none that breaks most of its words', async () => {
    const { decodeExcluded } = await moduleIn<Decode>(
      new MemoryWorkspace(),
      'src/platform/excludedContent/decodeExcluded.ts',
    );
    for (const [text, encodings] of texts) {
      for (const encoding of encodings) {
        const whole = text.repeat(4);
        const read = await decodeExcluded(encoded(whole, encoding), Uri.file('/one') as never);
        assert.ok(typeof read !== 'string' && read.texts.includes(whole), `${encoding}: ${text}`);
        if (text === german) assert.ok(read.texts.length <= 5, `${encoding}: ${read.texts.length}`);
      }
    }
  });

  it('is not binary because of signs of an icon font, or of a newer Unicode', async () => {
    for (const sign of ['\ue0b0', '\u{10fffd}', '\u{323b0}', '\ufffd']) {
      const text = Array.from({ length: 20 }, (_, index) => `${sign} ${index} ${sign} ${words}`).join('');
      const { is, missed } = await recognized({ 'log.txt': Buffer.from(text) }, [text]);
      assert.deepEqual([is, missed], ['complete', []], sign);
    }
  });

  it('leaves room for others: all of its readings are counted', async () => {
    const table = (count: number): string =>
      Array.from({ length: count }, (_, row) => `${row * 7919};Müller;Köln;${row * 104_729}\n`).join('');
    const ascii = Array.from({ length: 9_000 / words.length }, (_, row) => `${row} ${words}`).join('');
    const files = [
      { 'a.txt': encoded(table(2_600), 'windows-1252') },
      { 'a.txt': encoded(ascii + table(2_300), 'windows-1252') },
      Object.fromEntries(
        [1, 2, 3].map((index) => [`${index}.txt`, encoded(table(index * 700).slice(-20_000), 'windows-1252')]),
      ),
    ];
    for (const one of files) {
      const workspace = new Bytes({ ...one, 'z.txt': Buffer.from(words.repeat(2)) });
      const content = await excludedContentIn(workspace, { mostSlots: 2 ** 16 });
      const { state } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
      assert.equal(state.is, 'complete', `${Object.keys(one)}: ${state.words}`);
    }
  });

  it('is read in steps of at most 50 ms', async () => {
    const { decodeExcluded } = await moduleIn<Decode>(
      new MemoryWorkspace(),
      'src/platform/excludedContent/decodeExcluded.ts',
    );
    const wide = Buffer.from(words.repeat(6_000), 'utf16le');
    const files = {
      cyrillic: encoded(russian.repeat(2 ** 20 / russian.length), 'windows-1251'),
      'UTF-16 with ASCII': Buffer.concat([wide, Buffer.from(words)]),
      'ASCII before NULs': Buffer.concat([Buffer.from(words.repeat(1_000)), Buffer.alloc(900_000)]),
      'NULs between letters': Buffer.from(`${words}${'a\0bc\0'.repeat(180_000)}`),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const longest = async () => (await turnsOf(() => decodeExcluded(bytes, Uri.file('/one') as never))).longestMs;
      const ms = await leastCost(50, longest);
      assert.ok(ms <= 50, `${name}: ${ms} ms`);
    }
  }).timeout(60_000);
});
