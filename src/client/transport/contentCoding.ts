import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib';
import { ServiceError } from '../../util/errors.ts';

/**
 * Decodes the body's content coding. Decodes as bytes arrive: each delta that the service flushes is emitted immediately, and a
 * truncated body yields everything it contained. Reading a body in a coding that we did not offer throws a ServiceError
 * (protocol).
 */
export function decodeContent(body: AsyncIterable<Uint8Array>, coding: string): AsyncIterable<Uint8Array> {
  const names = coding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const name = names.filter((each) => !noCodings.has(each)).join(', ');
  return name === '' ? body : decoded(body, name);
}

async function* decoded(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = decoderOf(name);
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return;
  const all = withFirst(first.value, pieces);
  if (decodedStart.test(Buffer.from(first.value.subarray(0, 32)).toString('latin1'))) {
    yield* all;
    return;
  }
  // A failure on either side destroys the decoder, and the iteration of the decoder fails with it.
  pipeline(all, decoder, () => {});
  yield* decoder;
}

async function* withFirst(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array, unknown, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** The beginning of a decoded body: some gateways decode a body and keep the header. No encoded body begins like this. */
const decodedStart = /^\s*(?:data:|event:|id:|retry:|: |\{["\s]|<!|<h)/;

/** Values that mean no coding: gateways also put a character set, or nothing at all, into the header. */
const noCodings = new Set(['', 'identity', 'none', 'binary', '8bit', 'utf-8', 'utf8', 'us-ascii', 'iso-8859-1']);

function decoderOf(name: string): ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress> {
  if (name === 'gzip' || name === 'x-gzip') {
    return createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
  }
  if (name === 'br') {
    return createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    });
  }
  throw new ServiceError('protocol', 'The response uses a content coding that was not requested.', {
    code: 'content-coding',
  });
}
