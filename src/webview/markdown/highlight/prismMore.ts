// Less common languages, in a module of their own: loading all languages together would block the page for longer than a frame.
// The order matters here too.
import './prismAgain.ts';
import 'prismjs/components/prism-css.js';
import 'prismjs/components/prism-markup-templating.js';
import 'prismjs/components/prism-php.js';
import 'prismjs/components/prism-c.js';
import 'prismjs/components/prism-cpp.js';
import 'prismjs/components/prism-csharp.js';
import 'prismjs/components/prism-kotlin.js';
import 'prismjs/components/prism-rust.js';
import 'prismjs/components/prism-swift.js';
import 'prismjs/components/prism-ruby.js';
import 'prismjs/components/prism-toml.js';
import 'prismjs/components/prism-docker.js';
import 'prismjs/components/prism-markdown.js';

Reflect.deleteProperty(globalThis, 'Prism');
