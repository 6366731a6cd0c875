import { answerChat, type ServiceState } from './chat.ts';
import type { Exchange } from './exchange.ts';
import { HttpError, sendJson } from './httpError.ts';
import { demoKey, demoModels } from './options.ts';
import { upstreamModels } from './upstream.ts';

/** The path prefix with the major version (interface document, 9). */
export const prefix = '/api/v1';

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly needsKey: boolean;
  readonly answer: (exchange: Exchange, state: ServiceState) => void | Promise<void>;
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/health': {
    method: 'GET',
    needsKey: false,
    answer: ({ response }) =>
      sendJson(response, 200, { status: 'ok', version: '0.0.1', service: 'local test service' }),
  },
  '/auth/token': {
    method: 'GET',
    needsKey: true,
    answer: ({ response }) => sendJson(response, 200, { valid: true, type: 'enterprise' }),
  },
  '/models': { method: 'GET', needsKey: true, answer: listModels },
  '/chat/completions': { method: 'POST', needsKey: true, answer: answerChat },
};

/** Finds the endpoint, checks the key and answers. Throws an HttpError for an invalid request. */
export async function route(exchange: Exchange, state: ServiceState, isTooLarge: boolean): Promise<void> {
  const { method, path, headers } = exchange.request;
  const [pathname = ''] = path.split('?');
  const name = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : '';
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (endpoint === undefined) {
    const paths = Object.keys(endpoints).map((each) => prefix + each);
    throw new HttpError(
      404,
      'invalid_request_error',
      'unknown_path',
      `There is no such path. There are ${paths.join(', ')}.`,
    );
  }
  if (method !== endpoint.method) {
    const message = `${prefix}${name} takes ${endpoint.method} only.`;
    throw new HttpError(405, 'invalid_request_error', 'wrong_method', message, { headers: { allow: endpoint.method } });
  }
  if (endpoint.needsKey) checkKey(headers.authorization, state.options.keys ?? []);
  if (isTooLarge)
    throw new HttpError(413, 'invalid_request_error', 'request_too_large', 'The request body is too large.');
  // A chat request selects its scenario itself, after its headers and body are validated.
  if (name !== '/chat/completions') {
    const { scenario, settings } = state.queue.pick(name, null);
    if (scenario.instead !== undefined) return scenario.instead(exchange, settings);
  }
  return endpoint.answer(exchange, state);
}

function checkKey(authorization: string | undefined, keys: readonly string[]): void {
  const refuse = (code: string, message: string): HttpError =>
    new HttpError(401, 'authentication_error', code, message, { headers: { 'www-authenticate': 'Bearer' } });
  if (authorization === undefined)
    throw refuse('missing_api_key', 'The header Authorization: Bearer <API_KEY> is missing.');
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (key === undefined)
    throw refuse('invalid_api_key', 'The header Authorization is not of the form Bearer <API_KEY>.');
  if (key !== demoKey && !keys.includes(key)) throw refuse('invalid_api_key', 'The API key is not known.');
}

/** The service's own models, and behind an upstream without a fixed model also those that it lists. */
async function listModels({ response, gone }: Exchange, { options }: ServiceState): Promise<void> {
  const { models = demoModels, modelNames = {}, upstream } = options;
  const more = upstream === undefined || upstream.model !== undefined ? [] : await upstreamModels(upstream, gone);
  const data = [...new Set([...models, ...more])].map((id) => {
    const name = modelNames[id];
    return { id, object: 'model', created: 0, owned_by: 'svc', ...(name === undefined ? {} : { name }) };
  });
  sendJson(response, 200, { object: 'list', data });
}
