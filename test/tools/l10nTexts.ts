/**
 * Finds the texts that go through vscode.l10n.t in the source. Every call is `t('literal', …)` after the only
 * declaration `const t = vscode.l10n.t;` or a parameter `t: Translate`, or `vscode.l10n.t('literal', …)`. Anything else is a problem, because the
 * text could not be looked up in a bundle.
 */
export interface FoundTexts {
  readonly texts: readonly FoundText[];
  readonly problems: readonly string[];
}

export interface FoundText {
  readonly text: string;
  /** File and line, as an editor opens it. */
  readonly at: string;
  /** The number of values for its placeholders. */
  readonly values: number;
}

interface Token {
  readonly kind: 'name' | 'text' | 'other' | 'open' | 'close';
  /** The content of a string literal. */
  readonly value: string;
  readonly line: number;
}

export function textsOf(source: string, file: string): FoundTexts {
  const texts: FoundText[] = [];
  const problems: string[] = [];
  const tokens = tokensOf(source);
  const valueAt = (index: number): string | undefined => tokens[index]?.value;
  const isT = tokens.some((token, at) => token.value === 't' && (isDeclaration(tokens, at) || isParameter(tokens, at)));
  tokens.forEach((token, index) => {
    if (token.kind !== 'name' || token.value !== 't') return;
    const at = `${file}:${token.line}`;
    const isWhole = valueAt(index - 1) === '.' && valueAt(index - 2) === 'l10n';
    if (isWhole && valueAt(index + 1) !== '(') {
      if (!isDeclaration(tokens, index - 6)) problems.push(`${at}: l10n.t is called, or declared as "const t"`);
      return;
    }
    const isShort = isT && valueAt(index - 1) !== '.' && valueAt(index + 1) === '(';
    if (!isWhole && !isShort) return;
    const values = argumentsAfter(tokens, index + 1);
    const first = tokens[index + 2];
    if (first?.kind !== 'text' || ![',', ')'].includes(valueAt(index + 3) ?? '')) {
      problems.push(`${at}: the first argument is one string literal`);
      return;
    }
    texts.push({ text: first.value, at, values: values - 1 });
  });
  return { texts, problems };
}

/** `t = vscode.l10n.t;` after `const`, from the first `t`. */
function isDeclaration(tokens: readonly Token[], at: number): boolean {
  const words = tokens.slice(Math.max(at - 1, 0), at + 8).map(({ value }) => value);
  return words.join(' ').startsWith('const t = vscode . l10n . t ;');
}

/** `t: Translate`, where a text is also used without VS Code. */
function isParameter(tokens: readonly Token[], at: number): boolean {
  return tokens[at + 1]?.value === ':' && tokens[at + 2]?.value === 'Translate';
}

/** The number of arguments between the bracket at `open` and its closing bracket. */
function argumentsAfter(tokens: readonly Token[], open: number): number {
  let depth = 0;
  let count = 0;
  let isBegun = false;
  for (const { kind, value } of tokens.slice(open)) {
    if (kind === 'close') depth -= 1;
    if (depth === 0 && kind === 'close') return isBegun ? count + 1 : count;
    if (depth === 1 && value === ',') {
      count += 1;
      isBegun = false;
    } else if (depth > 0) isBegun = true;
    if (kind === 'open') depth += 1;
  }
  return count;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
/** Tokens before a regular expression. After any other token a slash divides. */
const beforeRegExp = /(^|[([{},;:=!&|?+\-*%<>~^]|\b(return|typeof|case|in|of|void))$/;
const pattern =
  /\s+|\/\/.*|\/\*[\s\S]*?\*\/|(?<name>[A-Za-z_$][\w$]*)|(?<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(?<other>\d[\w.]*|.)/y;
const regExp = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;

/** The words, strings and punctuation of a file, including the code between `${` and `}` in templates. */
function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  let last = '';
  /** For each open bracket, whether its end continues a template. */
  const brackets: boolean[] = [];
  const take = (expression: RegExp): RegExpExecArray => {
    expression.lastIndex = at;
    const found = expression.exec(source);
    if (found === null) throw new Error(`line ${line} cannot be read`);
    at = expression.lastIndex;
    line += found[0].split('\n').length - 1;
    return found;
  };
  const push = (kind: Token['kind'], value: string): void => {
    tokens.push({ kind, value, line });
    last = value;
  };
  const template = (): void => {
    if (take(templatePart)[0].endsWith('`')) push('close', '`');
    else brackets.push(true);
  };
  while (at < source.length) {
    if (source[at] === '/' && !/^\/[/*]/.test(source.slice(at, at + 2)) && beforeRegExp.test(last)) {
      take(regExp);
      push('other', '/…/');
      continue;
    }
    const { name, text, other } = take(pattern).groups ?? {};
    if (name !== undefined) push('name', name);
    else if (text !== undefined)
      push(
        'text',
        text.slice(1, -1).replace(/\\(.)/g, (_, sign) => escapes[sign] ?? sign),
      );
    else if (other === '`') {
      push('open', '`');
      template();
    } else if (other !== undefined && '([{'.includes(other)) {
      brackets.push(false);
      push('open', other);
    } else if (other !== undefined && ')]}'.includes(other)) {
      if (brackets.pop() === true) template();
      else push('close', other);
    } else if (other !== undefined) push('other', other);
  }
  return tokens;
}
