import { Session } from '../../../src/session/session.ts';
import { attachment } from '../../unit/session/attachment.ts';
import { Stage } from '../../unit/session/dispatchStage.ts';
import type { Part } from './fitting.ts';

/** How much larger the last request may be than the first. */
const limit = 1.15;
const questions = 10;
const fileBytes = 40 * 1024;

/** Prints how much larger the tenth request about one attached file is than the first. */
export async function repeatsBench(): Promise<Part> {
  const stage = new Stage();
  stage.answer = async function* () {
    yield [{ type: 'response', status: 200 }];
    yield [{ type: 'text-delta', text: 'It reads the settings, and says what is wrong with them. '.repeat(4) }];
    yield [{ type: 'finish', finishReason: 'stop' }];
  };
  const session = new Session(stage.dispatch);
  const line = "export const value = 'some words of a file';\n";
  const text = line.repeat(Math.ceil(fileBytes / line.length));
  for (let at = 1; at <= questions; at += 1) {
    const prompt = `What does function ${at} of this file do, and where is it called?`;
    await session.ask({ action: 'chat', prompt, attachments: [attachment({ text })] });
  }
  const sizes = stage.sent.map(({ request }) => Buffer.byteLength(request.body));
  if (sizes.length !== questions) throw new Error(`${sizes.length} requests were sent`);
  const ratio = (sizes.at(-1) ?? Number.NaN) / (sizes[0] ?? Number.NaN);
  const isMet = ratio <= limit;
  console.log(
    `Question ${questions} about one attached file of 40 KB: ${ratio.toFixed(3)} x the first request (at most ${limit} x): ${isMet ? 'met' : 'MISSED'}`,
  );
  return { rows: [{ name: 'ten questions about one file', sizes, ratio }], isMet };
}
