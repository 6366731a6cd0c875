import { createParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import { apiKey, type Contender, question } from '../contender.ts';

/** A handwritten client of ten lines: undici, and eventsource-parser fed with each piece. */
export function open(baseUrl: string): Contender {
  const dispatcher = new Agent({ allowH2: false });
  return {
    async chat(model, onFirst) {
      let characters = 0;
      const { body } = await request(`${baseUrl}/chat/completions`, {
        method: 'POST',
        dispatcher,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: question }], stream: true }),
      });
      const parser = createParser({
        onEvent({ data }) {
          if (data === '[DONE]') return;
          const text: string = JSON.parse(data).choices[0]?.delta.content ?? '';
          if (characters === 0 && text !== '') onFirst();
          characters += text.length;
        },
      });
      const decoder = new TextDecoder();
      for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }));
      return characters;
    },
    close: () => dispatcher.close(),
  };
}
