/** Answers like those of models, generated the same way each time. */

const words = (
  'the service answers each request with a stream of events and a client has to read them in the order in which they ' +
  'come because a retry that nobody asked for is a second invoice while a careful reader keeps what was said before'
).split(' ');

/** A small seeded generator: the same text in every run, and on every machine. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  while (true) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

class Writer {
  readonly #numbers: Generator<number, never>;

  constructor(seed: number) {
    this.#numbers = numbers(seed);
  }

  below(limit: number): number {
    return (this.#numbers.next().value >>> 8) % limit;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => words[this.below(words.length)]).join(' ');
  }

  /** Sentences with inline Markdown. */
  prose(sentences: number): string {
    const styled = (): string => {
      const kind = this.below(8);
      const text = this.words(2);
      if (kind === 0) return `**${text}**`;
      if (kind === 1) return `\`${text.replaceAll(' ', '.')}()\``;
      if (kind === 2) return `[${text}](https://example.com/${this.below(1000)})`;
      return text;
    };
    return Array.from(
      { length: sentences },
      () => `So ${this.words(5 + this.below(8))} ${styled()} ${this.words(3 + this.below(6))}.`,
    ).join(' ');
  }

  list(items: number): string {
    return Array.from({ length: items }, (_, index) => {
      const nested = index % 4 === 3 ? `\n  - ${this.words(6)}\n  - ${this.words(5)}` : '';
      return `- **${this.words(2)}**: ${this.words(4 + this.below(10))}${nested}`;
    }).join('\n');
  }

  table(rows: number): string {
    const row = (index: number): string =>
      `| ${index} | \`${this.words(1)}\` | ${this.words(3 + this.below(4))} | ${this.below(10_000)} |`;
    return [
      '| # | Name | Meaning | Count |',
      '|--:|------|---------|------:|',
      ...Array.from({ length: rows }, (_, i) => row(i)),
    ].join('\n');
  }

  code(lines: number): string {
    const line = (index: number): string =>
      index % 6 === 5
        ? '}\n'
        : index % 6 === 0
          ? `export function step${index}(input: string): number { // ${this.words(3)}`
          : `  const value${index} = read(input, ${this.below(100)}, "${this.words(2)}");`;
    return `\`\`\`ts\n${Array.from({ length: lines }, (_, index) => line(index)).join('\n')}\n\`\`\``;
  }

  section(): string {
    return [
      `## ${this.words(4)}`,
      this.prose(4),
      this.list(6),
      this.prose(3),
      this.code(14),
      this.prose(2),
      this.table(6),
      `> ${this.prose(2)}`,
    ].join('\n\n');
  }
}

/** Prose, lists, tables and code in turn, cut at `length` UTF-16 units. */
export function mixedText(length: number, seed = 1): string {
  const writer = new Writer(seed);
  let text = '';
  while (text.length < length) text += `${writer.section()}\n\n`;
  return text.slice(0, length);
}

/** 2 MB: a code block of 5,000 lines, a table and a list of 50 KB each, and mixed text around them. */
export function hugeText(): string {
  const writer = new Writer(2);
  const upTo = (length: number, make: (count: number) => string, unit: number): string =>
    `${make(Math.ceil(length / unit))
      .slice(0, length)
      .replace(/\n[^\n]*$/, '')}\n\n`;
  const parts = [
    mixedText(400_000, 3),
    writer.code(5000),
    mixedText(400_000, 4),
    upTo(50_000, (rows) => writer.table(rows), 30),
    mixedText(400_000, 5),
    upTo(50_000, (items) => writer.list(items), 50),
  ].map((part) => part.replace(/(?:\n[^\n]*){2}$/, ''));
  const text = `${parts.join('\n\n')}\n\n`;
  return text + mixedText(2_000_000 - text.length, 6);
}

/** This many questions with answers of about 2.6 KB each: 500 are 1.3 MB. */
export function conversation(turns: number): readonly { readonly prompt: string; readonly answer: string }[] {
  const writer = new Writer(7);
  return Array.from({ length: turns }, (_, index) => ({
    prompt: writer.prose(1),
    answer: mixedText(2600, 100 + index).replace(/\n[^\n]*$/, ''),
  }));
}
