import type { Attachment } from '../../../src/send/message/attachment.ts';
import { Session } from '../../../src/session/session.ts';
import { attachment } from '../../unit/session/attachment.ts';
import { Stage } from '../../unit/session/dispatchStage.ts';
import type { Row } from './run.ts';

const questions = 10;
const line = "export const value = 'some words of a file';\n";
const fileBytes = 40 * 1024;
/** Of the budget, what each question of the long conversation takes. */
const shareOfQuestion = 0.1;
const budget = 30_000;
const bytesPerToken = 3.2;

interface Conversation {
  /** Of the question with this number. */
  readonly file: (at: number) => Attachment;
  readonly questions: number;
  readonly instructions?: (at: number) => string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The bodies of the requests of a conversation. */
async function bodiesOf({
  file,
  questions: count,
  instructions,
  settings = {},
}: Conversation): Promise<readonly string[]> {
  const stage = new Stage();
  Object.assign(stage.settings, settings);
  stage.answer = async function* () {
    yield [{ type: 'response', status: 200 }];
    yield [{ type: 'text-delta', text: 'It reads the settings, and says what is wrong with them. '.repeat(4) }];
    yield [{ type: 'finish', finishReason: 'stop' }];
  };
  let asked = 0;
  const agents = async (): Promise<readonly Attachment[]> =>
    instructions === undefined
      ? []
      : [attachment({ label: 'AGENTS.md', uri: 'file:///one/AGENTS.md', text: instructions(asked), marks: [] })];
  const session = new Session(stage.dispatch, undefined, agents);
  for (; asked < count; asked += 1) {
    const prompt = `What does function ${asked} of this file do, and where is it called?`;
    await session.ask({ action: 'chat', prompt, attachments: [file(asked)] });
  }
  const bodies = stage.sent.map(({ request }) => request.body);
  if (bodies.length !== count) throw new Error(`${bodies.length} requests were sent`);
  return bodies;
}

/** The file with one line of its own for each version. */
function version(of: number): Attachment {
  const lines = Array.from({ length: Math.ceil(fileBytes / line.length) }, () => line);
  return attachment({ text: lines.with(500, `export const version = ${of};\n`).join(''), marks: [] });
}

function anotherFile(at: number): Attachment {
  const text = line.repeat((budget * bytesPerToken * shareOfQuestion) / line.length);
  return attachment({ label: `${at}.ts`, uri: `file:///one/${at}.ts`, text: `// ${at}\n${text}`, marks: [] });
}

function sumOf(bodies: readonly string[]): number {
  return bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
}

/** The share of these bodies that the one before each of them begins with, too: what a service can cache. */
function cachedShare(bodies: readonly string[], before: string): number {
  const cached = bodies.map((body, at) => commonStart(body, bodies[at - 1] ?? before));
  return cached.reduce((sum, bytes) => sum + bytes, 0) / sumOf(bodies);
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return Buffer.byteLength(a.slice(0, at));
}

/** How much ten questions about a file send, and how much of it a service can cache. */
export async function sentRows(): Promise<readonly Row[]> {
  const unchanged = await bodiesOf({ questions, file: () => version(0) });
  const changed = await bodiesOf({ questions, file: version });
  const [bytes, ofUnchanged] = [sumOf(changed), sumOf(unchanged)];
  const long = await bodiesOf({
    ...{ questions: 4 * questions, file: anotherFile },
    settings: { 'svc.context.maxTokens': budget },
  });
  // From the first request that leaves something out.
  const from = long.findIndex((body) => body.includes('[left out to fit: '));
  const agents = await bodiesOf({
    ...{ questions, file: version },
    instructions: (at) => `${at < questions / 2 ? 'Be kind.' : 'Be brief.'} ${'Use tabs. '.repeat(400)}`,
  });
  const shareOfUnchanged = cachedShare(unchanged, '');
  const kilobytes = (count: number): string => `${(count / 1000).toFixed(0)} kB`;
  const shareRow = (what: string, share: number): Row => ({
    what: `${what}: the share of the bytes that a service can cache`,
    measured: `${(100 * share).toFixed(0)} %`,
    peer: 'an unchanged file',
    reference: `${(100 * shareOfUnchanged).toFixed(0)} %`,
    ratio: share / shareOfUnchanged,
    limit: 'at least 60 %',
    isMet: share >= 0.6,
  });
  return [
    {
      what: 'ten questions about a file of 40 KB of which one line changes each time: bytes sent',
      measured: kilobytes(bytes),
      peer: 'an unchanged file',
      reference: kilobytes(ofUnchanged),
      ratio: bytes / ofUnchanged,
      limit: 'at most 1.3 x',
      isMet: bytes <= 1.3 * ofUnchanged,
    },
    shareRow('the same questions', cachedShare(changed, '')),
    shareRow(
      'ten questions from the first that leaves parts out, each a tenth of the limit',
      cachedShare(long.slice(from, from + questions), long[from - 1] ?? ''),
    ),
    shareRow('ten questions, AGENTS.md changes before the sixth', cachedShare(agents, '')),
  ];
}
