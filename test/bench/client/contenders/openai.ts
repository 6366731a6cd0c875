import { OpenAI } from 'openai';
import { apiKey, type Contender, question } from '../contender.ts';

export function open(baseUrl: string): Contender {
  const client = new OpenAI({ baseURL: baseUrl, apiKey });
  return {
    async chat(model, onFirst) {
      let characters = 0;
      const stream = await client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: question }],
        stream: true,
      });
      for await (const chunk of stream) {
        const text = chunk.choices[0]?.delta.content ?? '';
        if (characters === 0 && text !== '') onFirst();
        characters += text.length;
      }
      return characters;
    },
    close: async () => {},
  };
}
