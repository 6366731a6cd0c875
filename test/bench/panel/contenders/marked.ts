import type { Contender } from '../stage.ts';

/** The part of the packages' types that is used. Only the bench installs them, and the type check runs without them. */
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
