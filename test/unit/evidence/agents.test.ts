import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { maxLineBytes } from '../../../src/evidence/line.ts';
import { verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { sampleLog } from '../../tools/evidenceLog.ts';
import { withFolder } from './folders.ts';

const page = readFileSync('tools/report/collectors.md', 'utf8');
const blocks = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const block = (title: string): string =>
  blocks.find((text) => text.includes(`# ${title}`)) ?? assert.fail(`collectors.md: no configuration "${title}"`);
const { publisher, name } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'publisher' | 'name', string>;

/** What comes before a line in a message: a host name has at most 255 bytes. */
const headerBytes = 512;

/** Each: where it reads from the beginning, where it sets the maximum size of a message, and whether it was tried. */
const machines = {
  'rsyslog, on a machine': { begin: /freshStartTail="off"/, size: /maxMessageSize="(\d+k)"/, isTried: true },
  'syslog-ng, on a machine': { begin: /wildcard-file\(/, size: /log-msg-size\((\d+)\)/, isTried: true },
  'OpenTelemetry Collector (contrib), on a machine': {
    begin: /start_at: beginning/,
    size: /max_log_size: (\d+Ki)B/,
    isTried: false,
  },
  'Fluent Bit, on a machine': { begin: /Read_from_Head +On\n/, size: /Buffer_Max_Size +(\d+k)\n/, isTried: false },
  'Vector, on a machine': { begin: /read_from = "beginning"/, size: /max_line_bytes = (\d+)\n/, isTried: false },
} as const;

const collectors = {
  'rsyslog, on the collector': {
    size: /maxMessageSize="(\d+k)"/,
    stores: /name="svc-line" type="string" string="([^"]*)"/,
    line: '%msg%',
  },
  'syslog-ng, on the collector': {
    size: /log-msg-size\((\d+)\)/,
    stores: /audit\.log" template\("([^"]*)"\)/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a macro of syslog-ng.
    line: '${MESSAGE}',
  },
} as const;

function bytesOf(text: string, pattern: RegExp): number {
  const [, digits = '', unit = ''] = /^(\d+)(k|Ki)?$/.exec(pattern.exec(text)?.[1] ?? '') ?? [];
  assert.notEqual(digits, '', `no size ${pattern}`);
  return Number(digits) * (unit === '' ? 1 : 1_000);
}

describe('the configurations of log collectors in tools/report/collectors.md', () => {
  for (const [title, { begin, size, isTried }] of Object.entries(machines)) {
    it(`${title}: reads all files from their beginning, and has room for the longest line`, () => {
      const text = block(title);
      assert.match(text, begin);
      assert.ok(bytesOf(text, size) >= maxLineBytes + headerBytes);
      assert.ok(text.includes(`/globalStorage/${publisher}.${name}/audit`));
      assert.ok(text.includes('*.jsonl'));
      assert.equal(!text.includes('Not run'), isTried);
      // A line that is parsed is not stored byte for byte.
      assert.doesNotMatch(text.replace('no-parse', ''), /pars/i);
    });
  }

  for (const [title, { size, stores, line }] of Object.entries(collectors)) {
    it(`${title}: stores the lines so that they can be verified`, async () => {
      const text = block(title);
      assert.ok(bytesOf(text, size) >= maxLineBytes + headerBytes);
      const stored = stores.exec(text)?.[1] ?? assert.fail('no template');
      const lines = [...sampleLog('agents').files().values()].flat();
      const verify = (form: string) => {
        const template = form.replace('\\n', '\n');
        const content = lines.map((one) => template.replace(line, () => one)).join('');
        return withFolder([['pc/audit.log', content]], (folder) =>
          verifyEvidence({ paths: [folder], isCollected: true, grace: 0 }),
        );
      };
      assert.equal((await verify(stored)).verdict, 'intact');
      assert.ok((await verify(`<13>pc ${stored}`)).counts['not-a-record']);
    });
  }
});
