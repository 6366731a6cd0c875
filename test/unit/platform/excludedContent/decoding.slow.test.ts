import assert from 'node:assert/strict';
import { excludedContentIn, MemoryWorkspace } from './stage.ts';

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
