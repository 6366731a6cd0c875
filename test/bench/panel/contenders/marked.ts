import type { Contender } from '../stage.ts';

/** As much of the packages' types as is used: they are installed for the bench alone, the types are checked without. */
declare const require: (name: string) => {
  readonly marked: { parse(markdown: string): string };
  sanitize(html: string): string;
};

const { marked } = require('marked');
const purify = require('dompurify');

const root = document.createElement('div');
document.body.append(root);
let whole = '';

const contender: Contender = {
  take(_, text) {
    whole += text;
  },
  frame() {
    root.innerHTML = purify.sanitize(marked.parse(whole));
  },
};
window.stage.contender = contender;
