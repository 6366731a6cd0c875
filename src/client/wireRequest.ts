import { policyHeaders } from '../policy/headers.ts';
import type { RequestPolicy } from '../policy/requestPolicy.ts';
import type { ChatRequest } from './chat.ts';
import { chatBody } from './chatBody.ts';

export type Header = readonly [name: string, value: string];

/** A request as it goes on the wire, but for the key. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with its slash: all that a log says of the address. */
  readonly path: '/health' | '/auth/token' | '/models' | '/chat/completions';
  readonly url: string;
  /** All but the key's: see wireHeaders(). */
  readonly headers: readonly Header[];
  readonly body?: string;
}

declare const underPolicy: unique symbol;

/** A chat completion. Only chatRequest() makes one, from a policy; what is shown of it and what is sent is this object. */
export interface WireChat extends WireRequest {
  readonly method: 'POST';
  /** The exact text (UTF-8). */
  readonly body: string;
  readonly isStreamed: boolean;
  readonly [underPolicy]: true;
}

/** Content codings that both transports decode. */
const acceptedCodings = 'gzip, br';

/** What undici adds by itself. */
export const addedByUndici = ['Host', 'Connection', 'Content-Length'] as const;
/** What the fetch of VS Code's own network stack adds besides. */
export const addedByFetch = ['Accept-Language', 'Sec-Fetch-Mode', 'Cache-Control', 'Pragma'] as const;

/** A GET that carries no content. */
export function checkRequest(baseUrl: string, path: WireRequest['path'], userAgent: string): WireRequest {
  return { method: 'GET', path, url: urlOf(baseUrl, path), headers: commonHeaders(userAgent, 'application/json') };
}

export interface ChatParts {
  /** With its path prefix /api/v1 and no slash at the end. */
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly policy: RequestPolicy;
}

export function chatRequest({ baseUrl, userAgent, policy }: ChatParts, request: ChatRequest): WireChat {
  const path = '/chat/completions';
  const made: Omit<WireChat, typeof underPolicy> = {
    method: 'POST',
    path,
    url: urlOf(baseUrl, path),
    headers: [...chatHeaders(userAgent, request.stream), ...policyHeaders(policy)],
    body: chatBody(request),
    isStreamed: request.stream,
  };
  // The one place that makes one: the brand is a type alone.
  return made as WireChat;
}

/** What each chat request carries besides the headers of its policy and the key's. */
export function chatHeaders(userAgent: string, isStreamed: boolean): readonly Header[] {
  const accept = isStreamed ? 'text/event-stream, application/json' : 'application/json';
  return [...commonHeaders(userAgent, accept), ['Content-Type', 'application/json']];
}

/** All headers of a request. @param key the key itself, or what is shown in its place; none where it is empty. */
export function wireHeaders({ headers }: Pick<WireRequest, 'headers'>, key: string): readonly Header[] {
  return key === '' ? headers : [['Authorization', `Bearer ${key}`], ...headers];
}

function commonHeaders(userAgent: string, accept: string): readonly Header[] {
  return [
    ['User-Agent', userAgent],
    ['Accept', accept],
    ['Accept-Encoding', acceptedCodings],
  ];
}

function urlOf(baseUrl: string, path: WireRequest['path']): string {
  return new URL(baseUrl + path).href;
}
