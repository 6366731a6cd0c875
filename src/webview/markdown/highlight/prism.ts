// The order is the meaning: each grammar extends ones before it. Prism's grammars look for a global of that name, which
// is taken away again once they are loaded; `manual` keeps Prism from walking the page by itself.
import './prismManual.ts';
import Prism from 'prismjs/components/prism-core.js';
import 'prismjs/components/prism-markup.js';
import 'prismjs/components/prism-clike.js';
import 'prismjs/components/prism-javascript.js';
import 'prismjs/components/prism-jsx.js';
import 'prismjs/components/prism-typescript.js';
import 'prismjs/components/prism-tsx.js';
import 'prismjs/components/prism-python.js';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-sql.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-yaml.js';
import 'prismjs/components/prism-go.js';
import 'prismjs/components/prism-java.js';
import 'prismjs/components/prism-diff.js';

Reflect.deleteProperty(globalThis, 'Prism');

/** Prism with the languages most asked for; only its tokenizer is to be used, never its DOM functions. */
export const prism: Pick<typeof Prism, 'tokenize' | 'languages'> = Prism;
