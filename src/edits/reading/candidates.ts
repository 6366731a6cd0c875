import type { AnswerBlock } from './answer.ts';

/** The VS Code IDs of languages, by the names that models write after a fence. */
const aliases: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  node: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  golang: 'go',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  shell: 'shellscript',
  console: 'shellscript',
  terminal: 'shellscript',
  'shell-session': 'shellscript',
  shellsession: 'shellscript',
  ps1: 'powershell',
  pwsh: 'powershell',
  cmd: 'bat',
  batch: 'bat',
  'c++': 'cpp',
  cc: 'cpp',
  h: 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  kt: 'kotlin',
  yml: 'yaml',
  md: 'markdown',
  docker: 'dockerfile',
  make: 'makefile',
  postgresql: 'sql',
  postgres: 'sql',
  plpgsql: 'sql',
  mysql: 'sql',
  sqlite: 'sql',
  tsql: 'sql',
  text: 'plaintext',
  txt: 'plaintext',
  output: 'plaintext',
  log: 'plaintext',
};

/** The VS Code ID of a language that an answer names. */
export function languageIdOf(word: string): string {
  const name = word.toLowerCase();
  return (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name;
}

const families: Readonly<Record<string, string>> = {
  typescriptreact: 'typescript',
  javascript: 'typescript',
  javascriptreact: 'typescript',
  jsonc: 'json',
  cpp: 'c',
  dockercompose: 'yaml',
  scss: 'css',
  less: 'css',
};

function familyOf(id: string): string {
  return families[id] ?? id;
}

const commands = new Set(['shellscript', 'powershell', 'bat', 'fish']);

/** Whether a block contains commands for a shell. */
export function isCommands({ language, changes }: Pick<AnswerBlock, 'language' | 'changes'>): boolean {
  return changes === undefined && commands.has(languageIdOf(language));
}

/** Returns the blocks that can be for a file, and those for other files. */
export function candidatesFor(
  blocks: readonly AnswerBlock[],
  { languageId, file }: { readonly languageId: string; readonly file?: string },
): { readonly candidates: readonly AnswerBlock[]; readonly others: readonly AnswerBlock[] } {
  const isOther = (block: AnswerBlock): boolean =>
    block.file !== undefined && file !== undefined && !isSameFile(block.file, file);
  const others = blocks.filter(isOther);
  const rest = blocks.filter((block) => !isOther(block));
  const target = familyOf(languageId);
  const idOf = ({ language }: AnswerBlock): string => familyOf(languageIdOf(language));
  const isInLanguage = (block: AnswerBlock): boolean => block.changes !== undefined || idOf(block) === target;
  const code = rest.filter((block) => !(isCommands(block) && !commands.has(target)) && block.lines.length > 0);
  const exact = code.filter(isInLanguage);
  const named = code.filter((block) => isInLanguage(block) || block.language === '');
  if (exact.length > 0)
    return {
      candidates:
        exact.length === code.length || named.length === exact.length
          ? exact
          : named.filter((block) => isInLanguage(block) || !isOutput(block)),
      others,
    };
  return {
    candidates: named.length > 0 ? named : code.filter((block) => idOf(block) !== 'plaintext' || code.length === 1),
    others,
  };
}

/** Whether a block without a language, among blocks that have one, is the output of a program or a call of it. */
function isOutput({ intro, language }: AnswerBlock): boolean {
  return language === '' && /\b(?:output|prints?|result|returns?|looks? like|log|error|ausgabe)\b/i.test(intro);
}

/** Whether a path in an answer refers to a file: one of them is the end of the other. */
export function isSameFile(named: string, file: string): boolean {
  const [one, other] = [clean(named), clean(file)];
  return one === other || other.endsWith(`/${one}`) || one.endsWith(`/${other}`);
}

function clean(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
}

/** Whether the text before a block shows that it is not the change: an example, a test of it, the original code. */
export function isExample({ intro }: AnswerBlock): boolean {
  // Names and paths are ignored.
  const text = intro.replace(/`[^`\n]*`|[\w.-]*\/[\w./-]+/g, ' ');
  return (
    /(?:^|\n)[^\p{L}\n]*optional\b|\(optional\b|\boptional (?:steps?|extra|improvement|change|addition)\b/iu.test(
      text,
    ) ||
    /\b(?:examples?|usage|e\.g|for instance|for reference|for comparison|call it|use it(?! (?:in|for|where|there)\b)|used like|using it|run it|try it|to test|to verify|quick check|alternative(?:ly)?|optionally|if you (?:prefer|want|need|would)|beispiel|zum vergleich)\b/i.test(
      text,
    ) ||
    /^instead of\b|(?:^|\n)\W{0,10}(?:the )?(?:before|previously|original(?:ly)?|vorher)\b[^.\n]{0,30}:\s*$|\b(?:before|vorher)\W{0,10}:\s*$/i.test(
      text,
    )
  );
}
