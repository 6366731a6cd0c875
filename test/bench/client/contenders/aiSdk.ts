import { apiKey, type Contender, question } from '../contender.ts';

interface Part {
  readonly type: string;
  readonly delta?: string;
}

/** The part of the package's types that is used. Only the bench installs it, and the type check runs without it. */
interface AiSdk {
  createOpenAICompatible(options: { readonly name: string; readonly baseURL: string; readonly apiKey: string }): {
    chatModel(model: string): {
      doStream(options: { readonly prompt: unknown }): Promise<{ readonly stream: ReadableStream<Part> }>;
    };
  };
}

declare const require: (name: string) => AiSdk;

export function open(baseUrl: string): Contender {
  const { createOpenAICompatible } = require('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({ name: 'svc', baseURL: baseUrl, apiKey });
  return {
    async chat(model, onFirst) {
      let characters = 0;
      const { stream } = await provider.chatModel(model).doStream({
        prompt: [{ role: 'user', content: [{ type: 'text', text: question }] }],
      });
      const reader = stream.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const text = read.value.type === 'text-delta' ? (read.value.delta ?? '') : '';
        if (characters === 0 && text !== '') onFirst();
        characters += text.length;
      }
      return characters;
    },
    close: async () => {},
  };
}
