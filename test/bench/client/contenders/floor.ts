import { Agent, request } from 'undici';
import { apiKey, type Contender, question } from '../contender.ts';

/** The minimum of any client: the bytes through undici, and JSON.parse of each event, found by its blank line. */
export function open(baseUrl: string): Contender {
  const dispatcher = new Agent({ allowH2: false });
  return {
    async chat(model, onFirst) {
      const { body } = await request(`${baseUrl}/chat/completions`, {
        method: 'POST',
        dispatcher,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: question }], stream: true }),
      });
      let characters = 0;
      let rest = '';
      const read = (piece: Buffer): void => {
        const events = (rest + piece.toString('latin1')).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          const json = event.slice('data: '.length);
          if (json === '[DONE]') continue;
          if (characters === 0) onFirst();
          characters += (JSON.parse(json).choices[0]?.delta.content ?? '').length;
        }
      };
      await new Promise((resolve, reject) => body.on('data', read).on('end', resolve).on('error', reject));
      return characters;
    },
    close: () => dispatcher.close(),
  };
}
