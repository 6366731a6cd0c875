import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { leastCost, processorMs } from '../../tools/processorTime.ts';
import { madeKey } from './madeKeys.ts';
import { maskText } from './untagged.ts';

const keys = [madeKey('pkcs1', 1), madeKey('pkcs8', 1)];
const [key = ''] = keys;
const lines = key.trimEnd().split('\n');
const masked = async (text: string, isFragment = true): Promise<string> =>
  maskText(text, await scanText(text, { isFragment }));
const hasKey = (text: string): boolean =>
  lines
    .slice(1, -1)
    .some((line) => [...Array(57).keys()].some((at) => text.includes(line.slice(at, at + 8)) && line.length === 64));

/** How the lines of a key may appear in a text. */
const forms: Readonly<Record<string, (line: string, index: number) => string>> = {
  'as they are': (line) => line,
  indented: (line) => `    ${line}`,
  'in a comment': (line) => `// ${line}`,
  'in a shell comment': (line) => `# ${line}`,
  quoted: (line) => `"${line}\\n" +`,
  'as removed lines': (line) => `-${line}`,
  'as added lines': (line) => `+${line}`,
  'with line numbers': (line, index) => `${index + 7}\t${line}`,
  'with line numbers and bars': (line, index) => `${String(index + 7).padStart(5)} | ${line}`,
  'with names of files': (line, index) => `certs/server.pem:${index + 7}:${line}`,
  'with the times of a log': (line, index) => `2026-11-30T08:00:00.1234567${10 + index}Z ${line}`,
};

describe('gate: a truncated key', () => {
  for (const [name, form] of Object.entries(forms)) {
    it(`is found without its first line, its last line and both: ${name}`, async () => {
      for (const cut of [lines.slice(4), lines.slice(0, -5), lines.slice(3, -1), lines.slice(3, 5)]) {
        const text = `before it:\n${cut.map(form).join('\n')}\nafter it comes more`;
        const rest = await masked(text);
        assert.ok(rest.includes('[masked: private-key]') && !hasKey(rest), rest);
        assert.ok(rest.startsWith('before it:\n') && rest.endsWith('after it comes more'), rest);
      }
    });
  }

  it('is found in one line with escaped line endings', async () => {
    for (const cut of [lines.slice(3), lines.slice(0, -3), lines.slice(3, -3)]) {
      const rest = await masked(`{"key": "${cut.join('\\n')}"}`);
      assert.ok(!hasKey(rest), rest);
      assert.ok(rest.startsWith('{"key": "') && rest.endsWith('"}'), rest);
    }
  });

  it('is found without its last line, with encoded line endings', async () => {
    for (const end of ['<br>\n', '<br/>', '<br />', '&#10;', '&#13;&#10;', '&#xA;', '\\u000a', '\\u000d\\u000A'])
      for (const isFragment of [true, false]) {
        const rest = await masked(`<pre>${lines.slice(0, -5).join(end)}${end}</pre>`, isFragment);
        assert.ok(rest.startsWith('<pre>[masked: private-key]') && rest.endsWith('</pre>') && !hasKey(rest), rest);
      }
  });

  it('is found in a document in the form of PuTTY, and its public key is not', async () => {
    const body = lines.slice(2, -1);
    const before = `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAAB3NzaC1yc2E\nPrivate-Lines: ${body.length}\n`;
    for (const end of ['\n', '\r\n', '\\n']) {
      const text = `${before}${body.join('\n')}\nPrivate-MAC: 00\n`.replaceAll('\n', end);
      const rest = await masked(text, false);
      assert.ok(rest.startsWith(`${before.replaceAll('\n', end)}[masked: private-key]`) && !hasKey(rest), rest);
      assert.ok(rest.endsWith(`${end}Private-MAC: 00${end}`), rest);
    }
    const none = 'Private-Lines: 14\nare the lines of a key\n';
    assert.equal(await masked(none, false), none);
  });

  it('takes time linear in the text, whatever is between its lines', async () => {
    const line = lines[3] ?? '';
    const begin = lines[0] ?? '';
    for (const piece of [
      ...['<br>', '&#10;', '\\u000a', '<', '&#', `${line}<`, `${line}<br>`, `${line}&#10;\\u000a`, `${begin}<br>`],
      ...[
        '\n2026-11-30T08:00:00.1Z ',
        `\n2026-11-30T08:00:00.1Z ${line}`,
        '2026-11-30T',
        `${begin}\n2026-11-30T08:00:00Z `,
      ],
      ...['Private-Lines: 1\n', `Private-Lines: 1\n${line}`, 'Private-Lines: ', `${begin}\nPrivate-Lines: 1\n`],
    ]) {
      const text = begin + piece.repeat(Math.floor(1_000_000 / piece.length));
      const ms = await leastCost(3_000, async () => {
        const from = processorMs();
        await scanText(text, { isFragment: true });
        return processorMs() - from;
      });
      assert.ok(ms < 3_000, `${piece}: ${ms} ms`);
    }
  });

  it('is found without its first line in a document, also by its first bytes', async () => {
    for (const whole of keys) {
      const [, ...rest] = whole.trimEnd().split('\n');
      assert.equal((await masked(rest.join('\n'), false)).trim(), '[masked: private-key]');
      const [first = '', second = ''] = rest;
      assert.equal(await masked(`const der = "${first}";`, false), 'const der = "[masked: private-key]";');
      assert.ok(!(await masked(`${first}\n${second}\n`, false)).includes(second));
    }
  });

  it('is found if the cut goes through its lines', async () => {
    const body = lines.slice(1, -1).join('\n');
    for (const [from, to] of [
      [100, 500],
      [64, 900],
      [130, 300],
      [90, 260],
    ] as const) {
      assert.equal((await masked(body.slice(from, to))).trim(), '[masked: private-key]');
    }
  });

  const digests = [...Array(40).keys()].map((n) => createHash('sha256').update(String(n)).digest('hex'));
  const bytes = [...Array(40).keys()].map((n) => createHash('sha512').update(String(n)).digest('base64'));
  const certificate = `-----BEGIN CERTIFICATE-----\n${lines.slice(2, -1).join('\n')}\n-----END CERTIFICATE-----\n`;
  const harmless: Readonly<Record<string, string>> = {
    'a lock file': readFileSync('package-lock.json', 'utf8'),
    'a lock file with digests in lines of their own': bytes
      .map((one) => `  resolution:\n    integrity: sha512-${one}\n`)
      .join(''),
    'a list of digests': digests.join('\n'),
    'a list of quoted digests': digests.map((one) => `  "${one}",`).join('\n'),
    rulers: `${'/'.repeat(76)}\n`.repeat(4) + `${'='.repeat(64)}\n`.repeat(4),
    'names as long as each other': 'aVeryLongNameOfAFunctionThatIsCalledInManyPlacesByManyOthers\n'.repeat(4),
    'a certificate': certificate,
    'the end of a certificate': certificate.split('\n').slice(3).join('\n'),
    'the beginning of a certificate': certificate.split('\n').slice(0, -4).join('\n'),
    'a picture in lines': `background: url("data:image/png;base64,${lines.slice(2, -1).join('\n')}")`,
    'a picture in one line': `<img src="data:image/png;base64,${bytes.join('').replaceAll('=', '')}">`,
    'this project': ['src/gate/admit.ts', 'README.md', 'package.json', 'src/gate/secrets/rules/numbers.ts']
      .map((name) => readFileSync(name, 'utf8'))
      .join('\n'),
  };
  for (const [name, text] of Object.entries(harmless)) {
    it(`does not mask ${name}`, async () => {
      assert.equal(await masked(text), text);
    });
  }

  it('is found whatever its bytes are, and no certificate with such bytes is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom('pkcs1' as const, 'pkcs8' as const), async (seed, type) => {
        const [, ...rest] = madeKey(type, seed).trimEnd().split('\n');
        assert.equal((await masked(rest.join('\n'), false)).trim(), '[masked: private-key]');
        assert.equal((await masked(rest.slice(3, 5).join('\n'))).trim(), '[masked: private-key]');
        const inner = rest.slice(1, -1).join('\n');
        const other = `-----BEGIN CERTIFICATE-----\n${inner}\n-----END CERTIFICATE-----\n`;
        for (const text of [other, other.slice(200), other.slice(0, -200)]) assert.equal(await masked(text), text);
      }),
      // These have `pwd` in the rest of a line, which is too short to look random.
      {
        numRuns: 40,
        examples: [
          [1719709562, 'pkcs1'],
          [454271354, 'pkcs1'],
          [1024961026, 'pkcs8'],
        ],
      },
    );
  });

  it('a name at the end of a line of base64 names nothing in the next line; elsewhere it does', async () => {
    const value = 'JtxxR6Y9IP10UCeNm8is4ou1FxCjR25ryjfjhU1UvagIUeL2CbqWwZfFFXtRj';
    for (const word of ['PWd', 'TokenA', 'ApiKey'])
      for (const end of ['\n', '\r\n', '\n    ']) {
        const text = `    RVLBjeMNeOcuLfXemyehZM2AJDWuQPIRTIxeypnshbwhUoo249uTF${word}${end}${value}\n`;
        assert.equal(await masked(text, false), text);
        // The same line, cut.
        for (const from of [4, 21, 36]) assert.equal(await masked(text.slice(from), false), text.slice(from));
      }
    for (const text of [
      `DB_PASSWORD\n${value}`,
      `productionApiToken2\n${value}`,
      `the password\n${value}`,
      `DB_PASSWORD:\n  ${value}`,
      `my-api-token\n\t${value}`,
    ])
      assert.equal(await masked(text, false), text.replace(value, '[masked: generic-secret]'));
    // Only a certificate or a picture has lines of base64 that are no secrets.
    const block = `MyTokens\n${value}aB+\n${[...value].reverse().join('')}c/D\n`;
    assert.ok(!(await masked(block, false)).includes(value));
    const end = `${block}-----END CERTIFICATE-----\n`;
    assert.equal(await masked(end, false), end);
  });
});
