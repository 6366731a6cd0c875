import type { Contender } from '../stage.ts';

/** As much of the packages' types as is used: they are installed for the bench alone, the types are checked without. */
declare const require: (name: string) => {
  createElement(type: unknown, props: object): unknown;
  createRoot(element: Element): { render(element: unknown): void };
  flushSync(run: () => void): void;
  readonly default: unknown;
};

const { createElement } = require('react');
const { createRoot } = require('react-dom/client');
const { flushSync } = require('react-dom');
const { default: Markdown } = require('react-markdown');
const { default: gfm } = require('remark-gfm');

const element = document.createElement('div');
document.body.append(element);
const root = createRoot(element);
const remarkPlugins = [gfm];
let whole = '';

const contender: Contender = {
  take(_, text) {
    whole += text;
  },
  frame() {
    flushSync(() => root.render(createElement(Markdown, { remarkPlugins, children: whole })));
  },
};
window.stage.contender = contender;
