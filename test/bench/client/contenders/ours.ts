import { createRequire } from 'node:module';
import type { ChatEvent } from '../../../../src/client/chat.ts';
import type * as ServiceClient from '../../../../src/client/serviceClient.ts';
import { chatRequest } from '../../../../src/client/wireRequest.ts';
import { resolvePolicy } from '../../../../src/policy/compliance/resolve.ts';
import { apiKey, type Contender, type Model, question } from '../contender.ts';

/** The shipped bundle: esbuild.mjs builds both with the same options. */
const shipped = './shipped-client.cjs';

export function open(baseUrl: string): Contender {
  const { createServiceClient }: typeof ServiceClient = createRequire(__filename)(shipped);
  const silent = (): void => {};
  const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
  const client = createServiceClient({ logger, userAgent: 'svc-coder/bench' });
  const resolution = resolvePolicy([]);
  if (!resolution.ok) throw new Error('no policy');
  const about = { baseUrl, userAgent: 'svc-coder/bench', policy: resolution.policy };
  return {
    async chat(model: Model, onFirst) {
      let characters = 0;
      const request = chatRequest(about, {
        model,
        messages: [{ role: 'user', content: question }],
        maxTokens: null,
        temperature: null,
        stream: true,
      });
      const { signal } = new AbortController();
      for await (const batch of client.streamChat(request, { apiKey }, async () => {}, signal)) {
        for (const event of batch) characters += textLength(event, characters === 0 ? onFirst : undefined);
      }
      return characters;
    },
    close: () => client.dispose(),
  };
}

function textLength(event: ChatEvent, onFirst: (() => void) | undefined): number {
  if (event.type !== 'text-delta') return 0;
  onFirst?.();
  return event.text.length;
}
