import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { isRecord } from './chatBody.ts';
import type { SecurityReport } from './completion.ts';
import { type Exchange, write } from './exchange.ts';
import { HttpError, sendJson } from './httpError.ts';
import { safeParseJson } from './requestBody.ts';

/** An OpenAI-compatible server that provides the answers: Ollama, llama.cpp, vLLM, or this service again. */
export interface UpstreamOptions {
  /** Its base address, with the path before /chat/completions, such as http://127.0.0.1:11434/v1. */
  readonly url: string;
  /** Its own bearer key. The client's key is never sent there. */
  readonly key?: string;
  /**
   * Its model for every request. Without it, a model of ours becomes the first one it lists, and others are unchanged.
   */
  readonly model?: string;
}

/** Statuses that concern the client's request. Any other failure is ours: the upstream's key, or its health. */
const passedOn = new Set([400, 404, 413, 422, 429]);

/**
 * Forwards a validated chat request and returns the answer with our security object added. No header of the client is
 * forwarded. Throws a 502 HttpError if the upstream is unreachable or fails before its answer begins.
 */
export async function relayChat(
  { request, response, gone }: Exchange,
  upstream: UpstreamOptions,
  isOwnModel: boolean,
  security: SecurityReport | undefined,
): Promise<void> {
  const sent = isRecord(request.json) ? request.json : {};
  const model = upstream.model ?? (isOwnModel ? ((await upstreamModels(upstream, gone))[0] ?? sent.model) : sent.model);
  const answer = await call(upstream, '/chat/completions', JSON.stringify({ ...sent, model }), gone);
  const status = answer.statusCode ?? 0;
  if (status !== 200) {
    const text = await readAll(answer);
    if (!passedOn.has(status)) throw failed(`answered ${status}`);
    const retryAfter = answer.headers['retry-after'];
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    sendJson(
      response,
      status,
      safeParseJson(text) ?? { error: { message: `The upstream answered ${status}.` } },
      headers,
    );
    return;
  }
  if ((answer.headers['content-type'] ?? '').startsWith('text/event-stream')) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    await relayStream({ request, response, gone, requestId: '' }, answer, security);
    return;
  }
  const value = safeParseJson(await readAll(answer));
  if (!isRecord(value)) throw failed('answered with something other than a JSON object');
  sendJson(response, 200, security === undefined ? value : { ...value, security });
}

/** The ids of the upstream's models. Throws a 502 HttpError if the request fails. */
export async function upstreamModels(upstream: UpstreamOptions, gone: AbortSignal): Promise<readonly string[]> {
  const answer = await call(upstream, '/models', null, gone);
  const text = await readAll(answer);
  if (answer.statusCode !== 200) throw failed(`answered ${answer.statusCode} to GET /models`);
  const value = safeParseJson(text);
  const entries: readonly unknown[] = isRecord(value) && Array.isArray(value.data) ? value.data : [];
  return entries.flatMap((entry) => (isRecord(entry) && typeof entry.id === 'string' ? [entry.id] : []));
}

/** Forwards lines as they arrive. The security chunk goes before the line with [DONE]. */
async function relayStream(
  exchange: Exchange,
  answer: IncomingMessage,
  security: SecurityReport | undefined,
): Promise<void> {
  const last =
    security === undefined
      ? ''
      : `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [], security })}\n\n`;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const bytes of answer) {
      const lines = (rest + decoder.write(bytes)).split('\n');
      rest = lines.pop() ?? '';
      const text = lines.map((line) => `${isDone(line) ? last : ''}${line}\n`).join('');
      if (text !== '') await write(exchange, text);
    }
    rest += decoder.end();
    exchange.response.end(`${isDone(rest) ? last : ''}${rest}`);
  } catch {
    // Either the client or the upstream disconnected. After the first byte, a cut is the only honest end.
    exchange.response.destroy();
  }
}

function isDone(line: string): boolean {
  return /^data: ?\[DONE\]\s*$/.test(line);
}

function call(
  upstream: UpstreamOptions,
  path: string,
  body: string | null,
  gone: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(`${upstream.url.replace(/\/+$/, '')}${path}`);
  const headers = {
    accept: 'application/json, text/event-stream',
    ...(upstream.key === undefined ? {} : { authorization: `Bearer ${upstream.key}` }),
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // No agent: a kept-alive socket would outlive close().
    const options = { method: body === null ? 'GET' : 'POST', headers, agent: false, signal: gone } as const;
    const outgoing = send(url, options, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      reject(failed(`cannot be reached (${error.code ?? error.name})`)),
    );
    outgoing.end(body ?? undefined);
  });
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of answer) parts.push(part);
  } catch {
    throw failed('broke off its answer');
  }
  return Buffer.concat(parts).toString('utf8');
}

function failed(what: string): HttpError {
  return new HttpError(502, 'server_error', 'upstream_failed', `The upstream server ${what}.`);
}
