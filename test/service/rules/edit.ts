import { outline } from './outline.ts';
import { inPieces } from './pieces.ts';
import type { CodeBlock } from './prompt.ts';

const note = 'From the rules of the local service, not from a language model.';

/** The code changed by a few rules, in one fence per part, or undefined if the text asks for no change of code. */
export function editAnswer(words: string, blocks: readonly CodeBlock[]): string | undefined {
  if (/^Write tests for this code/i.test(words)) return fenced(testsFor(words, blocks[0]), blocks[0]?.language);
  if (/^Add .*test file/i.test(words)) {
    const tests = blocks.at(words.startsWith('Add tests for') ? 1 : 0);
    return form(words)(tests, `${tests?.code.trimEnd()}\n\n${testsFor(words, blocks[0])}`);
  }
  if (!/^Change this code as asked/i.test(words)) return undefined;
  const parts = Number(/(\d+) (?:fenced blocks|parts)\b/.exec(words)?.[1] ?? 1);
  return blocks
    .slice(0, parts)
    .map((block) => form(words)(block, changed(words, block)))
    .join('\n');
}

/** The whole of a changed code, or only its changes if these are asked for. */
function form(words: string): (block: CodeBlock | undefined, code: string) => string {
  if (!/^<{7} SEARCH$/m.test(words)) return (block, code) => fenced(code, block?.language);
  return (block, code) => fenced(inPieces(block?.code ?? '', code), block?.language);
}

/** A message from the names and counts of a diff, or undefined if none is requested. */
export function commitAnswer(words: string, blocks: readonly CodeBlock[]): string | undefined {
  if (!/^Write a commit message/i.test(words)) return undefined;
  const files = blocks.map(({ code }) => /^diff --git a\/\S+ b\/(\S+)/m.exec(code)?.[1] ?? 'files');
  const count = (mark: RegExp): number => blocks.reduce((sum, { code }) => sum + (code.match(mark)?.length ?? 0), 0);
  const style = /^- (\w+)(\(.*?\))?: /m.test(words) ? 'chore: ' : '';
  const names = files
    .slice(0, 3)
    .map((file) => file.slice(file.lastIndexOf('/') + 1))
    .join(', ');
  const subject = `${style}${style === '' ? 'Change' : 'change'} ${names}`.slice(0, 72);
  return `${subject}\n\n${count(/^\+(?!\+\+)/gm)} lines added, ${count(/^-(?!--)/gm)} removed. ${note}`;
}

function changed(words: string, block: CodeBlock): string {
  const mark = /^(py|python|ruby|yaml|shellscript)$/.test(block.language) ? '#' : '//';
  if (/\bFix these problems\b/.test(words)) {
    const fixed = block.code
      .replace(/\bvar\b/g, 'let')
      .replace(/([^=!<>])==([^=])/g, '$1===$2')
      .replace(/;;+/g, ';');
    return fixed === block.code ? `${mark} ${note} They know no fix for this.\n${block.code}` : fixed;
  }
  if (/\bDocument this code\b/.test(words)) return documented(block, mark);
  const [, from = '', to = ''] = /\brename `?(\w+)`? to `?(\w+)`?/i.exec(words) ?? [];
  if (from !== '') return block.code.replace(new RegExp(`\\b${from}\\b`, 'g'), to);
  return `${mark} ${note} They know "rename a to b".\n${block.code}`;
}

function documented(block: CodeBlock, mark: string): string {
  const lines = block.code.split('\n');
  const symbols = new Map(outline(block).symbols.map((symbol) => [symbol.line - block.firstLine, symbol]));
  return lines
    .flatMap((line, index) => {
      const symbol = symbols.get(index);
      if (symbol === undefined || /(\*\/|^\s*(\/\/|#).*)\s*$/.test(lines[index - 1] ?? '')) return [line];
      const indent = /^\s*/.exec(line)?.[0] ?? '';
      const text = `The ${symbol.kind} ${symbol.name}. ${note}`;
      return [mark === '#' ? `${indent}# ${text}` : `${indent}/** ${text} */`, line];
    })
    .join('\n');
}

function testsFor(words: string, block: CodeBlock | undefined): string {
  const functions = block === undefined ? [] : outline(block).symbols.filter(({ kind }) => kind === 'function');
  const names = [...new Set(functions.map(({ name }) => name))];
  if (block?.language === 'python') {
    return [`# ${note}`, ...names.map((name) => `\n\ndef test_${name}():\n    assert callable(${name})`)].join('\n');
  }
  const module = /new file (\S+?)(?:\.test|\.spec)?\.\w+\./.exec(words)?.[1]?.split('/').at(-1) ?? 'code';
  const head = `// ${note}\nimport { ${names.join(', ')} } from './${module}';\n`;
  const tests = names.map(
    (name) => `  it('has ${name}', () => {\n    if (typeof ${name} !== 'function') throw new Error();\n  });`,
  );
  return `${head}\ndescribe('${module}', () => {\n${tests.join('\n\n')}\n});`;
}

function fenced(code: string, language = 'text'): string {
  return `\`\`\`${language}\n${code}\n\`\`\`\n`;
}
