import { policyHeaders } from '../policy/compliance/headers.ts';
import type { RequestPolicy } from '../policy/requestPolicy.ts';
import type { ChatRequest } from './chat.ts';
import { chatBody } from './chatBody.ts';

export type Header = readonly [name: string, value: string];

/** A request in its wire format, without the key. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** The path relative to the base URL, with a leading slash: the only part of the address that is logged. */
  readonly path: '/health' | '/auth/token' | '/models' | '/chat/completions' | '/v1/logs' | '/policy';
  readonly url: string;
  /** All headers except the key's: see wireHeaders(). */
  readonly headers: readonly Header[];
  readonly body?: string;
}

declare const underPolicy: unique symbol;

/** A chat completion. Only chatRequest() makes one, from a policy; this same object is previewed and sent. */
export interface WireChat extends WireRequest {
  readonly method: 'POST';
  /** The exact text of the body (UTF-8). */
  readonly body: string;
  readonly isStreamed: boolean;
  readonly [underPolicy]: true;
}

/** Content codings that both transports decode. */
const acceptedCodings = 'gzip, br';

/** Headers that undici adds by itself. */
export const addedByUndici = ['Host', 'Connection', 'Content-Length'] as const;
/** Headers that the fetch of VS Code's own network stack adds as well. */
export const addedByFetch = ['Accept-Language', 'Sec-Fetch-Mode', 'Cache-Control', 'Pragma'] as const;

/** A GET that carries no content. */
export function checkRequest(baseUrl: string, path: WireRequest['path'], userAgent: string): WireRequest {
  return { method: 'GET', path, url: urlOf(baseUrl, path), headers: commonHeaders(userAgent, 'application/json') };
}

/** A request that sends lines of the audit log to a collector, which is not the service: it has no key. */
export function logsRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  userAgent: string,
): WireRequest {
  const ownHeaders: readonly Header[] = [
    ...commonHeaders(userAgent, 'application/json'),
    ['Content-Type', 'application/json'],
  ];
  return { method: 'POST', path: '/v1/logs', url, headers: [...ownHeaders, ...Object.entries(headers)], body };
}

/** A request for a policy that an administrator delivers: it has no key. */
export function policyRequest(url: string, userAgent: string): WireRequest {
  return { method: 'GET', path: '/policy', url, headers: commonHeaders(userAgent, 'text/plain, */*') };
}

interface ChatParts {
  /** The address with the path prefix /api/v1, without a trailing slash. */
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
  // No other place makes a WireChat: the brand exists only as a type.
  return made as WireChat;
}

/** The headers of each chat request, except for the headers of its policy and the key's header. */
export function chatHeaders(userAgent: string, isStreamed: boolean): readonly Header[] {
  const accept = isStreamed ? 'text/event-stream, application/json' : 'application/json';
  return [...commonHeaders(userAgent, accept), ['Content-Type', 'application/json']];
}

/**
 * Returns all headers of a request. @param key the key itself, or its displayed placeholder; if empty, no key header is
 * added.
 */
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
