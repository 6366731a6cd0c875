import { listed, partsOf, valueIn } from './assignedInLine.ts';
import { type Assigned, plainSecretName, secretNameInLine } from './values.ts';

/** The name of a secret whose values are in the next lines. */
interface Block {
  readonly name: string;
  /** The number of spaces before the name. */
  readonly indent: number;
  /** The text after it. If it is null, the lines of the block are more indented than the name, or items of a list. */
  readonly end: RegExp | null;
  /** Whether it ends after one line that is no list item. */
  readonly isSingle: boolean;
}

/** The columns of secrets in a table. */
interface Table {
  readonly separator: string;
  /** The number of columns. */
  readonly count: number;
  readonly columns: readonly (readonly [index: number, name: string])[];
}

/** A name at the end of a line, with what begins a block in YAML, a list or a text over several lines. */
const opener =
  /^(\s*)(?:-\s+)?(?:[{[]\s*)?["']?([\w.@/-]{1,200})["']?\s*[:=]\s*(|[|>][-+\d]*(?:\s+#.*)?|\[[^\]]*|("""|''').*)$/;
/** The ends of a text over several lines, by its beginnings. */
const textEnds: Readonly<Record<string, RegExp>> = { '"""': /"""/, "'''": /'''/ };
const element = /^(\s*)<([\w:.-]{1,80})(?:\s[^<>]*)?>\s*$/;
/** A line with a name of its own. */
const mapping = /^\s*(?:-\s+)?(?:"[^"]*"|'[^']*'|[\w.@/-]+)\s*(?::(?:\s|$)|=\s*[^=\s])/;
/** `name: DB_PASSWORD`, and a next line with the value of that name. */
const ownName = /^\s*(?:-\s+)?["']?(?:name|key)["']?\s*[:=]\s*["']?([\w.-]{1,80})["']?,?\s*$/i;
const ownValue = /^\s*["']?value["']?\s*[:=]\s*(.+)$/i;

/** The name of a column. */
const header = /^[\w .-]{0,40}$/;
const separators = [',', ';', '\t', '|'];

/** Reads values that are in other lines than their names: blocks, lists, elements of XML, and tables with a header. */
export class BelowNames {
  #block: Block | null = null;
  #table: Table | null = null;
  /** Whether a table may begin: at the start, and after a blank line. */
  #canBegin = true;
  #name = '';

  /** The values of a line, by the names in the lines before it. */
  *read(line: string): Generator<Assigned> {
    const hasName = secretNameInLine.test(line);
    if (this.#table !== null) yield* this.#ofTable(line, this.#table);
    else if (hasName && this.#canBegin) this.#table = tableOf(line);
    this.#canBegin = line.trim() === '';
    const [, value] = (this.#name !== '' && ownValue.exec(line)) || [];
    if (value !== undefined) yield { name: this.#name, value: valueIn(value) };
    this.#name = '';
    if (hasName) this.#name = ownName.exec(line)?.[1] ?? '';
    if (this.#block !== null) yield* this.#ofBlock(line, this.#block);
    else if (hasName) yield* this.#open(line);
  }

  *#open(line: string): Generator<Assigned> {
    const [, spaces = '', name = '', begin, quotes] = opener.exec(line) ?? element.exec(line) ?? [];
    this.#block = null;
    if (!plainSecretName.test(name)) return;
    const isList = begin?.startsWith('[') === true;
    const end = isList ? /\]/ : (textEnds[quotes ?? ''] ?? (begin === undefined ? /</ : null));
    const inside = isList ? begin.slice(1) : (begin ?? '').slice(3);
    if (end?.test(inside)) return;
    this.#block = { name, indent: spaces.length, end, isSingle: begin === '' };
    if (end !== null) yield* listed(name, isList ? partsOf(inside) : [inside]);
  }

  *#ofBlock(line: string, { name, indent, end, isSingle }: Block): Generator<Assigned> {
    if (line.trim() === '') return;
    const depth = line.search(/\S/);
    const isItem = /^\s*-\s/.test(line);
    const isOut = end === null && (depth < indent || (depth === indent && !isItem));
    if (isOut || mapping.test(line)) {
      yield* this.#open(line);
      return;
    }
    const at = end === null ? -1 : line.search(end);
    const value = line.slice(0, at === -1 ? line.length : at).trim();
    if (at !== -1) this.#block = null;
    if (end?.source === '\\]') yield* listed(name, partsOf(value));
    else if (isItem) yield* listed(name, [valueIn(value.slice(1))]);
    else {
      yield { name, value: valueIn(value) };
      if (isSingle) this.#block = null;
    }
  }

  *#ofTable(line: string, { separator, count, columns }: Table): Generator<Assigned> {
    const cells = cellsOf(line, separator);
    if (cells.length < count) this.#table = null;
    else for (const [index, name] of columns) yield* listed(name, [cells[index] ?? '']);
  }
}

function tableOf(line: string): Table | null {
  for (const separator of separators) {
    const names = line.includes(separator) ? cellsOf(line, separator) : [];
    if (!names.every((name) => header.test(name))) continue;
    const columns = [...names.entries()].filter(([, name]) => plainSecretName.test(name));
    if (columns.length > 0) return { separator, count: names.length, columns };
  }
  return null;
}

/** The cells of a row, without the quotes around them. A cell in quotes can have separators. */
function cellsOf(line: string, separator: string): readonly string[] {
  const cell = new RegExp(`[${separator}] *(?:"((?:[^"]|"")*)"|([^${separator}]*))`, 'g');
  return Array.from((separator + line).matchAll(cell), ([, quoted, plain = '']) => quoted ?? plain.trim());
}
