import { setTimeout as sleep } from 'node:timers/promises';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { complete } from '../../../src/session/inline/complete.ts';
import { cursorMark, type Place } from '../../../src/session/inline/place.ts';
import { Suggester } from '../../../src/session/inline/suggester.ts';
import type { AnswerRequest } from '../../service/answer.ts';
import { type LocalService, startService } from '../../service/service.ts';
import { median } from '../client/median.ts';
import { apiKey, localDispatch } from '../localDispatch.ts';
import { aroundPlace, plainCompletion } from '../plainCompletion.ts';
import type { Row } from './run.ts';

/** Milliseconds for which VS Code 1.139 waits after a keystroke before it asks a provider. */
const editorWait = 50;
/** Milliseconds for which a plain provider waits after that. */
const plainWait = 200;
/** Milliseconds from a request to the first token of its answer. */
const firstTokenMs = 150;

const line = 'const wholeTotal = prices.reduce(addAll)';
const above = Array.from({ length: 150 }, (_, index) => `const value${index} = compute(${index}, 'text');\n`).join('');

/** Milliseconds after the keystroke with this number. */
type Pattern = (index: number) => number;

const patterns: Readonly<Record<string, { readonly words: string; readonly pattern: Pattern; readonly most: number }>> =
  {
    slow: { words: '40 characters at 3 keys a second', pattern: () => 333, most: 5 },
    pauses: {
      words: '40 characters at 6 keys a second, with pauses of 0.5 s',
      pattern: (index) => (index % 10 === 0 ? 500 : 167),
      most: 3,
    },
  };

/** No answer is right, which is the worst case; or each is from the tenth character on. */
const answers: Readonly<Record<string, (typed: string) => string>> = {
  'no answer is right': () => '¤',
  'answers are right from the tenth character on': (typed) => (typed.length < 10 ? '¤' : line.slice(typed.length)),
};

/** Gives the text to insert at a place; rejects when the signal aborts. */
interface Provider {
  readonly service: LocalService;
  at(place: Place, signal: AbortSignal): Promise<string>;
  dispose(): Promise<void>;
}

type MakeProvider = (answer: (typed: string) => string) => Promise<Provider>;

function serviceThat(answer: (typed: string) => string): Promise<LocalService> {
  const answered = ({ messages }: AnswerRequest): string => {
    const asked = messages.at(-1)?.content ?? '';
    const before = asked.slice(0, asked.lastIndexOf(cursorMark));
    return answer(before.slice(before.lastIndexOf('\n') + 1));
  };
  return startService({ keys: [apiKey], firstTokenMs, answer: answered });
}

const ours: MakeProvider = async (answer) => {
  const service = await serviceThat(answer);
  const local = localDispatch(service.baseUrl);
  const suggester = new Suggester({ onChange: () => undefined });
  return {
    service,
    async at(place, signal) {
      const wanted = { uri: 'file:///pay.ts', languageId: 'typescript', place, isAutomatic: true };
      const parts = { dispatch: local.dispatch, requireEnd: () => undefined };
      const known = suggester.known(wanted);
      if (known !== undefined) return known.insertion;
      const begin: Parameters<Suggester['completion']>[1] = async (stop, onAnswer) => {
        // As in the editor: the document is scanned for this version before the request.
        await scanText(place.before + place.after);
        return complete(parts, aroundPlace(place), place, stop, onAnswer);
      };
      return (await suggester.completion(wanted, begin, signal)).insertion;
    },
    async dispose() {
      suggester.forget();
      await local.dispose();
      await service.close();
    },
  };
};

/** What an extension does that waits for a fixed time, sends the same body, and cancels it at the next keystroke. */
const plain: MakeProvider = async (answer) => {
  const service = await serviceThat(answer);
  return {
    service,
    async at(place, signal) {
      await sleep(plainWait, undefined, { signal });
      return plainCompletion(service.baseUrl, place, signal);
    },
    dispose: () => service.close(),
  };
};

/** A keystroke, as VS Code tells it to a provider. Resolves with the milliseconds to the answer; null if another followed. */
class Keyboard {
  readonly #provider: Provider;
  #token = new AbortController();

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  async press(typed: string): Promise<number | null> {
    this.#token.abort();
    this.#token = new AbortController();
    const { signal } = this.#token;
    const from = performance.now();
    try {
      await sleep(editorWait, undefined, { signal });
      await this.#provider.at({ before: above + typed, after: '\n' }, signal);
      return signal.aborted ? null : performance.now() - from;
    } catch (error) {
      if (!signal.aborted) throw error;
      return null;
    }
  }
}

interface Requests {
  readonly sent: number;
  readonly cut: number;
}

async function requestsOf(make: MakeProvider, pattern: Pattern, answer: (typed: string) => string): Promise<Requests> {
  const provider = await make(answer);
  try {
    const keyboard = new Keyboard(provider);
    let last: Promise<unknown> = Promise.resolve();
    for (let index = 1; index <= line.length; index += 1) {
      last = keyboard.press(line.slice(0, index));
      await sleep(pattern(index));
    }
    await last;
    const ends = await Promise.all(provider.service.chats.map(({ ended }) => ended));
    return { sent: ends.length, cut: ends.filter((end) => end === 'cut').length };
  } finally {
    await provider.dispose();
  }
}

/** The medians of the milliseconds from a keystroke to the answer, of providers that take turns. */
async function delaysOf(providers: readonly Provider[], count: number): Promise<readonly number[]> {
  const times = providers.map((): number[] => []);
  for (let index = 0; index < count; index += 1) {
    for (const [which, provider] of providers.entries()) {
      // Each keystroke is one after a pause.
      await sleep(1_000);
      const time = await new Keyboard(provider).press(`a${index} =`);
      if (time !== null) times[which]?.push(time);
    }
  }
  return times.map(median);
}

/** Requests while a line is typed, and the time from a keystroke to the answer, as a provider of VS Code sees them. */
export async function typingRows(rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { words, pattern, most } of Object.values(patterns)) {
    for (const [kind, answer] of Object.entries(answers)) {
      const [own, peer] = await Promise.all([ours, plain].map((make) => requestsOf(make, pattern, answer)));
      if (own === undefined || peer === undefined) continue;
      const say = ({ sent, cut }: Requests): string => `${sent} (${cut} cut)`;
      rows.push({
        what: `requests: ${words}, ${kind}`,
        measured: say(own),
        peer: 'the plain provider',
        reference: say(peer),
        ratio: own.sent / peer.sent,
        limit: `at most ${most}`,
        isMet: own.sent <= most,
      });
    }
  }
  const providers = [await ours(() => '¤'), await plain(() => '¤')];
  const [own = 0, peer = 1] = await delaysOf(providers, 4 * rounds);
  for (const provider of providers) await provider.dispose();
  rows.push({
    what: `from a keystroke after a pause to the answer, ${firstTokenMs} ms of them the service`,
    measured: `${own.toFixed(0)} ms`,
    peer: 'the plain provider',
    reference: `${peer.toFixed(0)} ms`,
    ratio: own / peer,
    limit: 'at most 0.75 x',
    isMet: own <= 0.75 * peer,
  });
  return rows;
}
