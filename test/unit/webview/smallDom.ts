/** The part of a DOM that an answer's body uses, enough to inspect its elements in plain Node. */
class SmallNode {
  parentNode: SmallElement | null = null;

  get parentElement(): SmallElement | null {
    return this.parentNode;
  }

  get nextSibling(): SmallNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  remove(): void {
    const siblings = this.parentNode?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }

  replaceWith(other: SmallNode): void {
    const parent = this.parentNode;
    if (parent === null) return;
    const at = parent.childNodes.indexOf(this);
    other.remove();
    parent.childNodes[at] = other;
    other.parentNode = parent;
    this.parentNode = null;
  }
}

class SmallText extends SmallNode {
  data: string;

  constructor(data: string) {
    super();
    this.data = data;
  }

  get length(): number {
    return this.data.length;
  }

  appendData(text: string): void {
    this.data += text;
  }
}

class SmallElement extends SmallNode {
  readonly tag: string;
  readonly childNodes: SmallNode[] = [];
  readonly dataset: Record<string, string> = {};
  readonly style: Record<string, string> = {};

  constructor(tag: string) {
    super();
    this.tag = tag;
  }

  get firstChild(): SmallNode | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): SmallNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  get lastElementChild(): SmallElement | null {
    return this.childNodes.findLast((node) => node instanceof SmallElement) ?? null;
  }

  set textContent(text: string) {
    this.replaceChildren();
    this.append(text);
  }

  appendChild(node: SmallNode): void {
    node.remove();
    node.parentNode = this;
    this.childNodes.push(node);
  }

  append(...nodes: readonly (SmallNode | string)[]): void {
    for (const node of nodes) this.appendChild(typeof node === 'string' ? new SmallText(node) : node);
  }

  replaceChildren(): void {
    for (const node of [...this.childNodes]) node.remove();
  }

  /** Supports the only selector in use: the body of the table in this element. */
  querySelector(): SmallElement | null {
    const table = this.childNodes.find((node) => node instanceof SmallElement && node.tag === 'table');
    return table instanceof SmallElement ? table.lastElementChild : null;
  }

  readonly #onClick: (() => void)[] = [];

  addEventListener(_click: string, listener: () => void): void {
    this.#onClick.push(listener);
  }

  click(): void {
    for (const listener of this.#onClick) listener();
  }

  /** Everything is in the page. */
  get isConnected(): boolean {
    return true;
  }

  setAttribute(name: string, value: string): void {
    this.dataset[`attribute ${name}`] = value;
  }
}

/** A MathML element. */
class SmallMath extends SmallElement {
  override readonly style: Record<string, string> & { setProperty?: unknown } = {};

  constructor(tag: string) {
    super(tag);
    Object.defineProperty(this.style, 'setProperty', {
      value: (name: string, value: string) => Object.assign(this.style, { [name]: value }),
    });
  }
}

class SmallAnchor extends SmallElement {}
class SmallOrderedList extends SmallElement {}

const elements: Readonly<Record<string, typeof SmallElement>> = { a: SmallAnchor, ol: SmallOrderedList };

/** Everything is visible. */
class SmallObserver {
  readonly #see: (entries: readonly object[], self: SmallObserver) => void;

  constructor(see: (entries: readonly object[], self: SmallObserver) => void) {
    this.#see = see;
  }

  observe(target: SmallElement): void {
    queueMicrotask(() => this.#see([{ target, isIntersecting: true }], this));
  }

  unobserve(): void {}
}

export const smallDom = {
  IntersectionObserver: SmallObserver,
  ResizeObserver: class {
    observe(): void {}
  },
  document: {
    compatMode: 'CSS1Compat',
    addEventListener: (): void => {},
    createElementNS: (_: string, tag: string): SmallElement => new SmallMath(tag),
    createElement: (tag: string): SmallElement => new (elements[tag] ?? SmallElement)(tag),
    createTextNode: (text: string): SmallText => new SmallText(text),
  },
  Element: SmallElement,
  HTMLElement: SmallElement,
  Text: SmallText,
  HTMLAnchorElement: SmallAnchor,
  HTMLOListElement: SmallOrderedList,
};

/** The content of a node: its element, its properties, and its children, with adjacent text joined. */
export function shown(node: unknown): unknown {
  if (node instanceof SmallText) return node.data;
  if (!(node instanceof SmallElement)) throw new Error('This is no node.');
  const children: unknown[] = [];
  for (const child of node.childNodes) {
    const one = shown(child);
    const last = children.at(-1);
    if (typeof one === 'string' && typeof last === 'string') children[children.length - 1] = last + one;
    else if (one !== '') children.push(one);
  }
  const { tag, dataset, style } = node;
  const set = Object.fromEntries(Object.entries(node).filter(([, value]) => typeof value !== 'object'));
  return { ...set, tag, dataset, style, children };
}
