import type { Contender } from '../stage.ts';

/** The part of the packages' types that is used. Only the bench installs them, and the type check runs without them. */
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
