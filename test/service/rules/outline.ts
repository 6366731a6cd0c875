import type { CodeBlock } from './prompt.ts';

export interface OutlineSymbol {
  readonly kind: 'function' | 'method' | 'class';
  readonly name: string;
  readonly parameters: readonly string[];
  readonly line: number;
}

/** The result of a few patterns on code of the C family or in Python, without a parser. */
export interface Outline {
  readonly symbols: readonly OutlineSymbol[];
  readonly imports: readonly string[];
  readonly branches: number;
  readonly loops: number;
  readonly returns: readonly string[];
  readonly calls: readonly string[];
}

const keywords = new Set(
  'if for while switch catch return function class def with elif async await new super print import typeof else do try in of not and or'.split(
    ' ',
  ),
);
const symbolPatterns: readonly (readonly [OutlineSymbol['kind'], RegExp])[] = [
  [
    'class',
    /^\s*(?:export\s+)?(?:default\s+|abstract\s+|public\s+|final\s+|data\s+)*(?:class|interface|struct)\s+(\w+)()/,
  ],
  ['function', /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(\w+)\s*(?:<[^(]*>)?\(([^)]*)\)/],
  ['function', /^\s*(?:async\s+)?def\s+(\w+)\s*\(([^)]*)\)/],
  ['function', /^\s*(?:pub\s+)?(?:fn|func)\s+(?:\([^)]*\)\s*)?(\w+)\s*(?:<[^(]*>)?\(([^)]*)\)/],
  [
    'function',
    /^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:<[^(]*>)?\(([^)]*)\)[^=]*=>/,
  ],
  [
    'method',
    /^\s+(?:(?:public|private|protected|static|async|override|readonly|final|get|set)\s+)*(?:[\w<>[\]]+\s+)?(#?\w+)\s*\(([^)]*)\)[^;=]*\{\s*$/,
  ],
];

export function outline({ code, language, firstLine }: CodeBlock): Outline {
  const bare = withoutComments(code, language);
  const symbols = bare.split('\n').flatMap((line, index): OutlineSymbol[] => {
    for (const [kind, pattern] of symbolPatterns) {
      const [, name = '', parameters = ''] = pattern.exec(line) ?? [];
      if (name !== '' && !keywords.has(name))
        return [{ kind, name, parameters: parameterNames(parameters), line: firstLine + index }];
    }
    return [];
  });
  const own = new Set(symbols.map(({ name }) => name));
  return {
    symbols,
    imports: unique(
      bare,
      /^\s*(?:import\b.*?\bfrom\s+['"]([^'"]+)['"]|import\s+['"]([^'"]+)['"]|from\s+([\w.]+)\s+import|import\s+([\w.]+))/gm,
    ),
    branches: count(bare, /\b(if|elif|case|switch)\b|\s\?\s/g),
    loops: count(bare, /\b(for|while)\b|\.(forEach|map|reduce)\(/g),
    returns: unique(bare, /\breturn\s+([^;\n]{1,60})/g),
    calls: unique(bare, /\b((?:\w+\.)*\w+)\(/g).filter((name) => !keywords.has(name) && !own.has(name)),
  };
}

/** Replaces comments with white space. Lines keep their numbers. */
function withoutComments(code: string, language: string): string {
  const line = /^(py|python|ruby|rb|sh|bash|shellscript|yaml)$/.test(language) ? /(^|\s)#.*$/gm : /(^|[^:'"])\/\/.*$/gm;
  return code.replace(/\/\*[\s\S]*?\*\//g, (text) => text.replace(/[^\n]/g, ' ')).replace(line, '$1');
}

function parameterNames(text: string): readonly string[] {
  return text
    .split(/,(?![^<{[(]*[>}\])])/)
    .map((part) => /^[\s.*{[]*(?:(?:readonly|public|private|final|const)\s+)*(\w+)/.exec(part)?.[1] ?? '')
    .filter((name) => name !== '' && name !== 'self' && name !== 'cls');
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

function unique(text: string, pattern: RegExp): readonly string[] {
  const found = [...text.matchAll(pattern)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '');
  return [...new Set(found.map((item) => item.trim()))].filter((item) => item !== '');
}
