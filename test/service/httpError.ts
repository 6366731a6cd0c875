import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** An error response in the format of OpenAI-compatible clients. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly type: string;
  readonly code: string;
  /** The invalid header or body field, if any. */
  readonly param: string | null;
  readonly headers: OutgoingHttpHeaders;

  constructor(
    status: number,
    type: string,
    code: string,
    message: string,
    more: { readonly param?: string; readonly headers?: OutgoingHttpHeaders } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = more.param ?? null;
    this.headers = more.headers ?? {};
  }
}

/** A 400 about one header or body field. */
export function badRequest(code: string, param: string, message: string): HttpError {
  return new HttpError(400, 'invalid_request_error', code, message, { param });
}

export function errorBody(error: HttpError): { readonly error: Readonly<Record<string, string | null>> } {
  return { error: { message: error.message, type: error.type, code: error.code, param: error.param } };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...headers,
  });
  response.end(body);
}

export function sendError(response: ServerResponse, error: HttpError): void {
  sendJson(response, error.status, errorBody(error), error.headers);
}
