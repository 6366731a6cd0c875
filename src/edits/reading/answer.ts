import { type Block, blocksIn } from '../../session/prompts/fences.ts';
import type { Change } from '../placing/exactFit.ts';
import { isBlank, trimLines } from '../text/lines.ts';
import { type FileChanges, hasSearch, isDiff, readDiff, readSearch, readTagged } from './changes.ts';
import { fileInComment, fileInHeading, readFenceInfo } from './fileName.ts';
import { withoutLineNumbers } from './lineNumbers.ts';
import { withoutThinking } from './thinking.ts';

/** A block of an answer. */
export interface AnswerBlock {
  /** The word after the opening fence, without a file name. */
  readonly language: string;
  /** The file that the answer names for the block, unchecked. */
  readonly file?: string;
  /** The code; for changes, the lines as in the answer. */
  readonly lines: readonly string[];
  /** The replaced lines and their replacements, from a diff or from search and replace blocks. */
  readonly changes?: FileChanges;
  /** The last line of prose before the block. */
  readonly intro: string;
}

export interface ReadAnswer {
  readonly blocks: readonly AnswerBlock[];
  /** Whether the answer ends inside a block: the end of the code is missing. */
  readonly isOpen: boolean;
  /** Whether only the last of several blocks for the same place is used, because those before it are drafts. */
  readonly lastWins: boolean;
  /** The other readings, if it is unclear where the fences of a block end. */
  readonly others: readonly (readonly AnswerBlock[])[];
  /** The text without thinking, for a message. */
  readonly text: string;
  /** Code in sentences of the text that are about imports. */
  readonly imports: readonly string[];
}

/** Reads a complete answer: its blocks of code and changes, without prose and thinking. */
export function readAnswer(answer: string): ReadAnswer {
  const { text, isOpen: lastWins } = withoutThinking(answer.replace(/\r\n?/g, '\n').replace(/^\ufeff/gm, ''));
  const plain = blocksIn(text);
  const nested = blocksIn(text, true);
  const open = (plain.length > 0 && nested.at(-1)?.isClosed === false) || hasUnterminatedSearch(text, plain);
  if (plain.length === 0) {
    return { blocks: readBare(text), isOpen: open, lastWins, others: [], text, imports: [] };
  }
  const isSame = plain.length === nested.length && plain.every(({ end }, index) => end === nested[index]?.end);
  const outer = isClosed(nested) ? nested : plain;
  const blocks = read(text, outer);
  const around = outermostBlock(text, plain);
  return {
    blocks,
    isOpen: isSame ? open : !isClosed(nested),
    lastWins,
    others: [
      ...(isSame || !isClosed(plain) || outer === plain ? [] : [read(text, plain)]),
      ...(around === null ? [] : [[around]]),
    ],
    text,
    imports: importsInProse(text, plain),
  };
}

/** Returns the code in sentences that ask to add an import. */
function importsInProse(text: string, blocks: readonly Block[]): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const end of [...blocks, null]) {
    const prose = text.slice(from, end?.start ?? text.length);
    from = end?.end ?? text.length;
    for (const sentence of prose.slice(0, 20_000).split(/\n|(?<=[.!?])\s/)) {
      const asksForImport =
        /\b(?:add|needs?|requires?|include|also import|import|at the top)\b/i.test(sentence) &&
        /\bimport|\busing\b|`use /i.test(sentence);
      if (
        !asksForImport ||
        /\b(?:remove|drop|delete|unused|already|no longer|no new|not needed|optional|if you)\b/i.test(sentence)
      )
        continue;
      for (const [, code = ''] of sentence.matchAll(/`([^`]{2,200})`/g)) found.push(code.trim());
    }
  }
  return found;
}

function isClosed(blocks: readonly Block[]): boolean {
  return blocks.every((block) => block.isClosed);
}

function hasUnterminatedSearch(text: string, blocks: readonly Block[]): boolean {
  if (blocks.length > 0) return false;
  const lines = text.split('\n');
  return (
    lines.some((line) => /^\s*<{5,9}\s*(?:SEARCH|ORIGINAL)\b/i.test(line)) &&
    readSearch(lines, () => undefined) === null
  );
}

/**
 * Returns everything from the first opening fence to the last closing fence as one block: its content may contain fences of
 * the same length.
 */
function outermostBlock(text: string, blocks: readonly Block[]): AnswerBlock | null {
  const [first, ...others] = blocks;
  const last = others.at(-1);
  if (first === undefined || last === undefined) return null;
  if (!/^(?:md|markdown|mdx|python|py|rst|text)?$/i.test(readFenceInfo(first.info).language)) return null;
  const inside = text.slice(text.indexOf('\n', first.start) + 1, last.end).replace(/\n[^\n]*$/, '\n');
  return inside.trim() === '' ? null : blockOf(first.info, inside, '');
}

function read(text: string, blocks: readonly Block[]): readonly AnswerBlock[] {
  let from = 0;
  const all = blocks.flatMap((block): readonly AnswerBlock[] => {
    const prose = text
      .slice(from, block.start)
      .split('\n')
      .filter((line) => !isBlank(line));
    from = block.end;
    return split(blockOf(block.info, block.code, prose.at(-1) ?? ''));
  });
  return paired(all);
}

const before =
  /^[\s*_#]*(?:before|old|original|current(?:ly)?|replace(?: this)?|find(?: this)?|change this|vorher|bisher|statt)\b[^.]{0,60}:?[\s*_]*$/i;
const after = /^[\s*_#]*(?:after|new|updated|with(?: this)?|now|by|to(?: this)?|nachher|neu)\b[^.]{0,60}:?[\s*_]*$/i;

/** Joins a block with the old code and a block with the new code into a change. */
function paired(blocks: readonly AnswerBlock[]): readonly AnswerBlock[] {
  const all: AnswerBlock[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    const isPair = last !== undefined && last.changes === undefined && block.changes === undefined;
    if (isPair && before.test(last.intro) && after.test(block.intro)) {
      all[all.length - 1] = { ...block, changes: { changes: [{ old: last.lines, replacement: block.lines }] } };
    } else all.push(block);
  }
  return all;
}

function blockOf(info: string, code: string, intro: string): AnswerBlock {
  const { language, file } = readFenceInfo(info);
  const lines = trimLines(withoutLineNumbers(code.replace(/\n$/, '').split('\n')));
  const named = file ?? fileInHeading(intro) ?? fileInComment(lines[0] ?? '');
  return { language, intro, lines, ...(named === undefined ? {} : { file: named }) };
}

/** Splits a block of changes for several files. */
function split(block: AnswerBlock): readonly AnswerBlock[] {
  const { lines, language } = block;
  const all = changesIn(lines, language);
  if (all === null) return [block];
  return all.map((changes) => {
    const file = changes.file ?? block.file;
    return { ...block, ...(file === undefined ? {} : { file }), changes };
  });
}

function changesIn(lines: readonly string[], language: string): readonly FileChanges[] | null {
  if (hasSearch(lines)) return readSearch(lines, (line) => fileInHeading(line) ?? fileInComment(line));
  const tagged = readTagged(lines);
  if (tagged.length > 0) return [{ changes: tagged }];
  if (!isDiff(lines, language)) return null;
  const files = readDiff(lines).filter(({ changes }) => changes.length > 0);
  return files.length === 0 ? null : files;
}

/** Reads an answer without fences: changes, code, or prose. */
function readBare(text: string): readonly AnswerBlock[] {
  const lines = trimLines(text.split('\n'));
  if (lines.length === 0) return [];
  const changes = changesIn(lines, '');
  if (changes !== null) {
    return changes.map((each) => ({
      language: '',
      lines,
      intro: '',
      changes: each,
      ...(each.file === undefined ? {} : { file: each.file }),
    }));
  }
  return isProse(lines) ? [] : [{ language: '', lines, intro: '' }];
}

/**
 * Whether lines are an answer in sentences. Code may contain sentences in comments; prose contains no line that ends
 * like code.
 */
export function isProse(lines: readonly string[]): boolean {
  const text = lines.filter((line) => !isBlank(line));
  const isSentence = (line: string): boolean =>
    consistsOfWords(line.trim()) &&
    !/[;{}]\s*$|[=<>]|\w\(\)?;?$/.test(line) &&
    /^[\p{Lu}"'*_>]|[.?!:]\s*$/u.test(line.trim());
  const isList = (line: string): boolean => /^\s*(?:[-*•]|\d+[.)])\s+\S+\s+\S+/.test(line);
  const [first = ''] = text;
  if (/^(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|FROM|GRANT)\b/.test(first.trim())) return false;
  if (/^\s*(?:\/\/|#!|\/\*|--|<)/.test(first) || (/^\s*#/.test(first) && !/^#{1,6} /.test(first))) return false;
  if (/^[A-Z]+\b(?: [A-Z*]+)*/.exec(first)?.[0].length === first.trim().length) return false;
  const codeLike = text.filter(
    (line) =>
      /[;{}]\s*$|^\s*(?:import|from|def|class|return|const|let|var|public|private|func|package|using|SELECT|CREATE|INSERT|UPDATE|DELETE|ALTER)\b.*[({;:'"=]|^\s*[\w.-]+:(?: \S+)?$/.test(
        line,
      ) && !isSentence(line),
  );
  return (
    (isSentence(first) || /^(?:I|I'm|I’m|Sorry|Ich|Could|Can|Which|What|No|Yes)\b/.test(first.trim())) &&
    codeLike.length === 0 &&
    text.every((line) => isSentence(line) || isList(line) || line.trim().split(/\s+/).length >= 2)
  );
}

/** Whether a trimmed line consists of at least four words. Each is matched alone: one pattern for all takes exponential time. */
function consistsOfWords(line: string): boolean {
  const [first = '', ...others] = line.split(/\s+/);
  const last = others.pop() ?? '';
  return (
    others.length >= 2 &&
    /^[\p{Lu}"'*_>(]?[\p{L}\p{N}'’*_`"]+[,;:]?$/u.test(first) &&
    others.every((word) => /^[\p{L}\p{N}'’*_`"()/.,-]+[;:]?$/u.test(word)) &&
    /^[\p{L}\p{N}'’*_`"()/.,-]+(?:[?!:…][.?!:…)*_]*)?$/u.test(last)
  );
}

/** The texts of the code in some blocks, in the order that withTexts() expects. */
export function textsOf(blocks: readonly AnswerBlock[]): readonly string[] {
  return blocks.flatMap(({ lines, changes }) => [
    lines.join('\n'),
    ...changeTexts(changes?.changes),
    ...changeTexts(changes?.otherwise),
  ]);
}

function changeTexts(changes: readonly Change[] = []): readonly string[] {
  return changes.flatMap(({ old, replacement }) => [old.join('\n'), replacement.join('\n')]);
}

/** Returns the same blocks with other code, for example with masked secrets restored. */
export function withTexts(blocks: readonly AnswerBlock[], texts: readonly string[]): readonly AnswerBlock[] {
  let at = 0;
  const next = (): readonly string[] => {
    at += 1;
    return (texts[at - 1] ?? '').split('\n');
  };
  const changed = (changes: readonly Change[]): readonly Change[] =>
    changes.map(({ old, replacement }) => ({
      old: old.length === 0 ? discard(next()) : next(),
      replacement: replacement.length === 0 ? discard(next()) : next(),
    }));
  const discard = (_: readonly string[]): readonly string[] => [];
  return blocks.map(({ changes, ...block }) => {
    const lines = next();
    if (changes === undefined) return { ...block, lines };
    const { otherwise } = changes;
    const first = changed(changes.changes);
    return {
      ...block,
      lines,
      changes: { ...changes, changes: first, ...(otherwise === undefined ? {} : { otherwise: changed(otherwise) }) },
    };
  });
}
