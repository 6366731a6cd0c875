import { type Exchange, untilGone, write } from './exchange.ts';
import { errorBody, HttpError, sendError, sendJson } from './httpError.ts';
import type { ScenarioSettings } from './scenario.ts';

/** The scenarios that answer in place of an endpoint. */
type Instead = (exchange: Exchange, settings: ScenarioSettings) => void | Promise<void>;

const refuse =
  (status: number, type: string, code: string, message: string): Instead =>
  ({ response }) =>
    sendError(response, new HttpError(status, type, code, message));

export const refusals = {
  unauthorized: refuse(401, 'authentication_error', 'invalid_api_key', 'The scenario says that this key is not valid.'),
  forbidden: refuse(
    403,
    'permission_error',
    'model_forbidden',
    'The scenario says that this key may not use the model.',
  ),
  tooLarge: refuse(
    413,
    'invalid_request_error',
    'request_too_large',
    'The scenario says that the request is too large.',
  ),
  quota: refuse(
    429,
    'insufficient_quota',
    'insufficient_quota',
    'The scenario says that the quota of this key is used up.',
  ),
  contentFilter: refuse(
    400,
    'invalid_request_error',
    'content_filter',
    'The response was filtered due to the prompt triggering the content management policy of the scenario.',
  ),
  budget: refuse(400, 'budget_exceeded', '400', 'Budget has been exceeded! Current cost: 10.2, Max budget: 10.0'),
  quotaForbidden: refuse(403, 'permission_error', 'forbidden', 'Your monthly quota is exhausted.'),
} as const;

export const serverError = refuse(500, 'server_error', 'internal_error', 'The scenario says that the service failed.');

export function rateLimit(form: 'seconds' | 'date' | 'long'): Instead {
  return ({ response }, { retryAfterSeconds = 2 }) => {
    // HTTP dates are whole seconds, so both come from one clock reading, which makes their difference exact.
    const now = Date.now();
    const seconds = form === 'long' ? 90 : retryAfterSeconds;
    const retryAfter = form === 'date' ? new Date(now + seconds * 1000).toUTCString() : String(seconds);
    const error = new HttpError(429, 'rate_limit_error', 'rate_limit_exceeded', 'Too many requests. Retry later.');
    sendJson(response, 429, errorBody(error), { date: new Date(now).toUTCString(), 'retry-after': retryAfter });
  };
}

export const badGateway: Instead = ({ response }) => sendHtml({ response }, 502, '502 Bad Gateway');

export const htmlPage: Instead = ({ response }) => sendHtml({ response }, 200, 'Please sign in to the network');

export function networkPage(status: 401 | 403): Instead {
  return ({ response }) => sendHtml({ response }, status, 'Access denied by the network');
}

export const emptyAnswer: Instead = ({ response }) => {
  response.writeHead(200, { 'content-length': 0 });
  response.end();
};

export const hang: Instead = ({ gone }) => untilGone(gone);

export const redirect: Instead = ({ request, response }, { redirectTo }) => {
  const origin = redirectTo ?? `http://localhost:${response.socket?.localPort ?? 80}`;
  response.writeHead(307, { location: new URL(request.path, origin).href, 'content-length': 0 });
  response.end();
};

export const resetBeforeHeaders: Instead = ({ response }) => {
  response.socket?.resetAndDestroy();
};

export const cutAfterHeaders: Instead = async (exchange) => {
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  // The comment ensures that the headers have been sent. A reset (RST) could still overtake them, and the client would
  // then see the scenario `reset`. A plain end of the connection cannot.
  await write(exchange, ': no token will come\n\n');
  exchange.response.socket?.destroy();
};

function sendHtml({ response }: Pick<Exchange, 'response'>, status: number, title: string): void {
  const body = `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
