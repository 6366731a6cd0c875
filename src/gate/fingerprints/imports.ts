import { isPublicAddress } from './publicAddresses.ts';
import { tokensIn } from './values.ts';

/** The number of lines that are read between two chances to pause. */
const linesAtOnce = 1_000;
/** The maximum size of an import statement. */
const maxStatement = { lines: 300, units: 8_000 };
const lineEnd = /\r\n|\r|\n/g;

/** The start of a statement that may import something. */
const start =
  /^(?:(?:(?:@testable )?import|Imports|export|from|use|using|global using|package|namespace|open|mod|module|alias|part|extern crate|pub|require|require_once|require_relative|include|include_once|library)(?:\s|\(|["'{*]|$)|(?:const|let|var|local)\s+(?:\{|[\w$]+\s*=\s*(?:@?(?:await\s+)?(?:require|import)|(?:React\.)?lazy\())|#\s*(?:include|import)|@(?:import|use|forward)\s)/;
const comment = /^(?:\/\/|#(?!\s*(?:include|import))|\/\*|\*)/;

/**
 * A text without the lines that import something, in the syntax of common languages: many other files have the same lines. A
 * line stays if it has a word that looks like a token, an absolute path, or an address outside of public registries. The other
 * lines become empty but for their comments, so that the number of lines is the same. Yields null where it may pause.
 */
export function* withoutImports(text: string): Generator<null, string> {
  const lines = text.split(lineEnd);
  const ends = text.match(lineEnd) ?? [];
  let [count, isSame] = [0, true];
  for (let at = 0; at < lines.length; ) {
    const statement = statementAt(lines, at);
    const next = at + (statement?.length ?? 1);
    const isOne = statement !== null && isImport(statement.map(({ code }) => code));
    if (isOne) {
      for (const [index, { code, rest }] of statement.entries())
        if (code !== '' || rest === '') lines[at + index] = rest;
      isSame = false;
    }
    // A statement that is not an import may contain one.
    at = isOne ? next : at + 1;
    count += statement?.length ?? 1;
    if (count >= linesAtOnce) {
      count = 0;
      yield null;
    }
  }
  return isSame ? text : lines.map((line, at) => line + (ends[at] ?? '')).join('');
}

/** A trimmed line of a statement: its code without directives for tools, and its comment. */
interface Line {
  readonly code: string;
  readonly rest: string;
}

/** The lines of a possible import, up to the end of its brackets or the next start, which keeps the time linear. */
function statementAt(lines: readonly string[], from: number): readonly Line[] | null {
  const written = lines[from]?.trim() ?? '';
  if (!isStart(written) || written.length > maxStatement.units) return null;
  const first = split(written);
  const statement = [first];
  let [depth, units, isOpen] = [depthOf(first.code), written.length, isList(first)];
  for (let at = from + 1; depth > 0 || isOpen; at += 1) {
    const line = lines[at]?.trim();
    if (line === undefined || statement.length >= maxStatement.lines || isStart(line)) return [first];
    units += line.length;
    if (units > maxStatement.units) return [first];
    const next = split(line);
    depth += depthOf(next.code);
    isOpen &&= next.code === '' || next.code.endsWith(',');
    statement.push(next);
  }
  return statement;
}

/** Whether another declaration follows on the next line. */
function isList({ code }: Line): boolean {
  return code.endsWith(',') && /^(?:const|let|var)\s/.test(code);
}

function split(line: string): Line {
  if (comment.test(line)) return { code: '', rest: line };
  const code = line.replace(directive, '');
  const end = code.search(trailing);
  return end === -1 || code.length - end > maxCommentLength
    ? { code, rest: '' }
    : { code: code.slice(0, end).trimEnd(), rest: code.slice(end) };
}

function isStart(line: string): boolean {
  return start.test(line);
}

/** A directive for a tool after a statement. */
const directive =
  /\s(?:#\s*(?:noqa|type:|pylint:|isort:|ruff:)|\/\/\s*(?:eslint-|@ts-|prettier-|biome-|NOLINT|indirect))[\w\s:,=@/()-]*$/;

/** The start of a comment after a statement. The comment stays; with a longer one, which is a sentence, the statement, too. */
const trailing = /(?<=\s)(?:#|--\s)|(?<=[\s;>"'),])\/\/|(?<=[\s;>"'),])\/\*(?=(?:(?!\/\*).)*\*\/$)/;

const maxCommentLength = 40;

/** The number of brackets that stay open. */
function depthOf(line: string): number {
  let depth = 0;
  for (let at = 0; at < line.length; at += 1) depth += depths[line.charCodeAt(at)] ?? 0;
  return depth;
}

const depths = Int8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return Number('({'.includes(character)) - Number(')}'.includes(character));
});

const quoted = '(?:"(?<double>[^"]*)"|\'(?<single>[^\']*)\')';
const withType = '(?:\\s+(?:with|assert)\\s*\\{\\s*type:\\s*["\']\\w+["\']\\s*\\})?';

/**
 * The forms of imports. `list` has the names; `pattern` too, with `:` for a second name. The quoted part, or `address`, is the
 * source.
 */
const forms: readonly RegExp[] = [
  // JavaScript, TypeScript
  new RegExp(`^(?:import|export)\\b(?<list>[^"']*)\\bfrom\\s*${quoted}${withType};?$`),
  /^export\s*(?<list>\{[^"']*\});?$/,
  // JavaScript and TypeScript without names; Go, Dart, Protocol Buffers
  new RegExp(
    `^(?:import|part of|part|export)\\s*(?:[\\w.]+\\s+)?${quoted}(?:\\s+(?:deferred\\s+)?as\\s+\\w+)?(?:\\s+(?:show|hide)\\s(?<list>[\\w\\s,]*))?${withType};?$`,
  ),
  // CommonJS, Lua, Ruby, PHP, Sass, Zig
  new RegExp(
    `^(?:(?:const|let|var|local|import)\\s(?<pattern>[^="']*)=\\s*(?:await\\s+)?)?@?(?:require|require_once|require_relative|include|include_once|import|use|forward|library)\\s*\\(?\\s*(?<isRelative>__DIR__\\s*\\.\\s*)?${quoted}(?:\\s+as\\s+[\\w*]+)?\\s*\\)?(?:\\.\\w+)?;?$`,
  ),
  // React
  new RegExp(
    `^(?:const|let|var)\\s(?<pattern>[\\w$]+)\\s*=\\s*(?:React\\.)?lazy\\(\\s*\\(\\)\\s*=>\\s*import\\(${quoted}\\),?\\s*\\);?$`,
  ),
  // C, C++, Objective-C
  /^#\s*(?:include|include_next|import)\s*(?:<(?<address>[^>]*)>|"(?<double>[^"]*)")$/,
  // Python
  /^from\s+(?<path>[\w.]+)\s+import\s*(?<list>\*|\([^()]*\)|[^()]*)$/,
  // Perl, Julia, R, Haskell, Elm
  /^use\s+(?<path>[\w:]+)(?:\s+[\d.]+)?\s+qw(?:\([\w\s:]{0,200}\)|\/[\w\s:]{0,200}\/);?$/,
  /^(?:import|using)\s+(?<path>[\w.]+):\s+(?<list>[\w\s,.]*)$/,
  /^(?:library|require)\((?<path>[\w.]+)\)$/,
  /^import\s+(?:qualified\s+)?(?<path>[\w.]+)(?:\s+qualified)?(?:\s+as\s+\w+)?(?:\s+(?:hiding|exposing))?\s*\((?<list>[\w\s,.]*)\)$/,
  // Java, Kotlin, Scala, Swift, C#, Rust, PHP, Perl, Haskell, Python, Go, C++, F#, Make, Visual Basic
  /^(?:pub(?:\([\w:]+\))?\s+)?(?:(?:@testable\s+)?@?import|Imports|global using|using|use|package|namespace|open|mod|module|alias|require|include|extern crate)\s+(?:(?:static|function|const|type|qualified|namespace|unsafe|struct|class|enum|protocol|func)\s+)*(?<list>[^"'()]*);?$/,
];

/** The first line of a block of Go; `blockLines` has its lines: an address with an optional name or version. */
const block = /^(?:import|require)\s*\($/;
const blockLines = [/^(?:[\w.]+\s+)?"(?<double>[^"]*)"$/, /^(?<address>[\w./~-]+)\s+v\d[\w.+-]*$/] as const;

/** A name between commas and brackets: `type A`, `a as b`, `A = B.C`, `*`, `a::`. */
const name =
  /^(?:(?:type|typeof|defer|static|function|const|self)\s+)?(?:\w+\s*=\s*)?(?:[\w$*.\\]|::)*(?:\s+(?:as|=>)\s+[\w$*]+)?$/;
/** The maximum length of a name; a sentence is longer. */
const maxNameLength = 200;

/** A further declaration in a list. */
const further = /,\s+(?=[\w$]{1,100} = require\()/g;

function isImport(code: readonly string[]): boolean {
  const lines = code.filter((line) => line !== '');
  const isOne = block.test(lines[0] ?? '')
    ? lines.slice(1, -1).every((line) => blockLines.some((form) => isPublicImport(form.exec(line))))
    : lines
        .join(' ')
        .replace(further, '; const ')
        .split(/;\s+/)
        .every((part) => forms.some((form) => isPublicImport(form.exec(part))));
  return isOne && !lines.some(hasToken);
}

/** Whether a line has a token with digits: names of functions in mixed case look like tokens without digits. */
function hasToken(line: string): boolean {
  return [...tokensIn(line)].some(({ start, end }) => /\d/.test(line.slice(start, end)));
}

/** Whether all parts of an import may be in other files, too. */
function isPublicImport(match: RegExpExecArray | null): boolean {
  if (match === null) return false;
  const { pattern, list, address, double, single, isRelative } = match.groups ?? {};
  const from = address ?? double ?? single;
  if (from !== undefined && !isPublicAddress(isRelative === undefined ? from : from.replace(/^\//, ''))) return false;
  const names = list ?? pattern?.replaceAll(':', ' as ') ?? '';
  return names.split(/[{}(),;]/).every((part) => part.length <= maxNameLength && name.test(part.trim()));
}
