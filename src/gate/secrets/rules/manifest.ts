import { windowEnds } from '../matches.ts';
import type { SecretRule, SecretSpan } from '../span.ts';

const isSecret = /^kind:[ \t]{0,8}["']?Secret["']?[ \t\r]{0,8}$/im;
const block = /^(?<indent>[ \t]*)(?:data|stringData):\s*$/;
const key = /^[ \t]+["']?[\w.-]{1,253}["']?:\s*(?:[|>][-+]?\s*$)?["']?/;
const placeholder = /^(?:\{\{|\$\{|\$\(|<|\*+["']?$)/;

/** All values of a Kubernetes Secret in YAML, in any format: everything below `data` and `stringData`. */
export const kubernetesSecret: SecretRule = {
  names: ['kubernetes-secret'],
  *find(text) {
    if (!isSecret.test(text)) return;
    let start = 0;
    let documentEnd = 0;
    let isWanted = false;
    /** The indentation of `data:`, or -1 outside of it. */
    let outer = -1;
    for (const to of windowEnds(text)) {
      while (start < to) {
        if (start >= documentEnd) {
          const next = text.indexOf('\n---', start);
          documentEnd = next < 0 ? text.length : next + 1;
          // Each document is examined once.
          isWanted = isSecret.test(text.slice(start, documentEnd));
          outer = -1;
        }
        const lineEnd = text.indexOf('\n', start);
        const end = lineEnd < 0 ? text.length : lineEnd;
        if (isWanted) {
          const line = text.slice(start, end);
          const begun = block.exec(line)?.groups?.indent?.length ?? -1;
          if (begun >= 0) outer = begun;
          else if (outer >= 0 && /\S/.test(line)) {
            if (line.search(/\S/) <= outer) outer = -1;
            else yield* valueIn(line, start);
          }
        }
        start = end + 1;
      }
      yield null;
    }
  },
};

function* valueIn(line: string, start: number): Generator<SecretSpan> {
  const from = key.exec(line)?.[0].length ?? line.search(/\S/);
  const value = line.slice(from).replace(/["']?\s*$/, '');
  if (value === '' || line.trimStart().startsWith('#') || placeholder.test(value)) return;
  yield { rule: 'kubernetes-secret', start: start + from, end: start + from + value.length };
}
