import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib';
import { ServiceError } from '../../util/errors.ts';

/**
 * Decodes the body's content coding. Decodes as bytes arrive: each delta that the service flushes is emitted at once,
 * and a truncated body yields everything it contained.
 * @throws ServiceError (protocol) for a coding we did not offer.
 */
export function decodeContent(body: AsyncIterable<Uint8Array>, coding: string): AsyncIterable<Uint8Array> {
  const names = coding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const name = names.filter((each) => !noCodings.has(each)).join(', ');
  if (name === '') return body;
  const decoder = decoderOf(name);
  // A failure on either side destroys the decoder, and the iteration of the decoder fails with it.
  pipeline(body, decoder, () => {});
  return decoder;
}

/** Gateways also put a character set, or nothing at all, into the header. */
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
  throw new ServiceError('protocol', 'The answer has a content coding that was not asked for.', {
    code: 'content-coding',
  });
}
