import { type IncomingHttpHeaders, request } from 'node:http';
import { demoKey } from '../../service/options.ts';
import type { LocalService } from '../../service/service.ts';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
  /** Close the connection after this text arrives. */
  readonly leaveAt?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** `whole`: ended by HTTP; `cut`: the connection broke; `left`: this end closed it. */
  readonly ended: 'whole' | 'cut' | 'left';
  readonly json: () => Record<string, unknown>;
  /** The parsed data of the stream's events, without [DONE]. */
  readonly chunks: () => readonly Chunk[];
}

export interface Chunk {
  readonly id?: string;
  readonly object?: string;
  readonly choices: readonly {
    readonly delta: Readonly<Partial<Record<'role' | 'content' | 'refusal' | 'reasoning_content', string>>>;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly total_tokens: number };
  readonly security?: Record<string, unknown>;
}

/** One request on its own connection, with the demo key unless the headers override it. */
export function send({ baseUrl }: LocalService, path: string, sent: Sent = {}): Promise<Reply> {
  const { method = 'GET', headers = { authorization: `Bearer ${demoKey}` }, body, leaveAt } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${baseUrl}${path}`, { method, headers, agent: false }, (answer) => {
      let text = '';
      let ended: Reply['ended'] = 'cut';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
        if (leaveAt === undefined || ended === 'left' || !text.includes(leaveAt)) return;
        ended = 'left';
        answer.destroy();
      });
      answer.on('end', () => {
        if (answer.complete) ended = 'whole';
      });
      answer.on('error', () => undefined);
      answer.on('close', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text,
          ended,
          json: () => JSON.parse(text),
          chunks: () => dataOf(text).map((data) => JSON.parse(data)),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}

/** POST /chat/completions with one user message. */
export function chat(
  service: LocalService,
  content: string,
  more: Readonly<Record<string, unknown>> = {},
  sent: Sent = {},
): Promise<Reply> {
  return send(service, '/chat/completions', {
    method: 'POST',
    body: { model: 'svc/auto', messages: [{ role: 'user', content }], ...more },
    ...sent,
    headers: { authorization: `Bearer ${demoKey}`, 'content-type': 'application/json', ...sent.headers },
  });
}

/** The concatenated text of a stream's deltas. */
export function streamedText(reply: Reply): string {
  return reply
    .chunks()
    .map((chunk) => chunk.choices[0]?.delta.content ?? '')
    .join('');
}

/** `error.code` of an error body. */
export function errorOf(reply: Reply): Readonly<Record<string, unknown>> {
  return reply.json().error as Readonly<Record<string, unknown>>;
}

function dataOf(text: string): readonly string[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? '').filter((data) => data !== '[DONE]');
}
