import type { Connection } from '../../../policy/connection.ts';
import { isServiceError } from '../../../util/errors.ts';
import { HelperKeys, type HelperParts } from './helperKeys.ts';
import { showSignIn } from './showSignIn.ts';

interface GivenParts extends Pick<HelperParts, 'folder' | 'clock' | 'isOpen' | 'knownKeys'> {
  readonly client: () => Promise<HealthClient>;
}

interface HealthClient {
  health(endpoint: Pick<Connection, 'baseUrl'>, signal: AbortSignal): Promise<unknown>;
}

/** Creates the credential helpers of this window, when the first one is needed. */
export function createHelperKeys({ client, ...given }: GivenParts): HelperKeys {
  return new HelperKeys({
    ...given,
    showSignIn,
    async askTime({ baseUrl }, signal) {
      try {
        await (await client()).health({ baseUrl }, signal);
      } catch (error) {
        // A refusal has the time, too.
        if (!isServiceError(error)) throw error;
      }
    },
    async maskSecrets(text) {
      const { scanText, maskText } = await import('../../../gate/secrets/scanner.ts');
      return maskText(text, await scanText(text, { isFragment: true }));
    },
  });
}
