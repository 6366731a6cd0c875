// The order matters: each grammar extends earlier ones. Prism's grammars expect a global `Prism`, which is removed
// after they are loaded; `manual` prevents Prism from highlighting the page automatically.
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

/** Prism with the most common languages; only its tokenizer may be used, never its DOM functions. */
export const prism: Pick<typeof Prism, 'tokenize' | 'languages'> = Prism;
