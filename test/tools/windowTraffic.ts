import type { Page } from '@playwright/test';

/** The part of Playwright's implementation of a page that is used here. */
interface PageOfPlaywright {
  readonly delegate?: {
    readonly _mainFrameSession?: { readonly _client?: { send(method: string): Promise<unknown> } };
  };
}

interface Connected {
  readonly _connection?: { toImpl?(page: Page): PageOfPlaywright };
}

/**
 * Stops the reports about the network traffic of a VS Code window, which contain each message to and from its server: they take a
 * tenth of the processor's time. After that, the page has no events for requests, and none can be intercepted. Playwright has no
 * option for this. With a version that is different inside, this does nothing.
 */
export async function ignoreTraffic(page: Page): Promise<void> {
  const implementation = (page as unknown as Connected)._connection?.toImpl?.(page);
  await implementation?.delegate?._mainFrameSession?._client?.send('Network.disable');
}
