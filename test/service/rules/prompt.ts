/** A fenced block of a prompt. */
export interface CodeBlock {
  /** The fence's info string in lower case, or a guess from the code, or `text` if there is none. */
  readonly language: string;
  readonly code: string;
  /** The line before the fence, if it looks like a file name. */
  readonly name: string | undefined;
  /** The number of the block's first line: 1, unless the name has a range such as `pay.ts:3-12`. */
  readonly firstLine: number;
}

const fenced = /^([ \t]*)(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)(?:^[ \t]*\2[ \t]*$|$(?![\s\S]))/gm;

/** The fenced blocks of a Markdown text. An unclosed fence ends with the text. */
export function codeBlocks(text: string): readonly CodeBlock[] {
  return [...text.matchAll(fenced)].map((match) => {
    const code = (match[4] ?? '').replace(/\n$/, '');
    const before = text.slice(0, match.index).trimEnd().split('\n').at(-1)?.trim() ?? '';
    const isName = /^\S*\.\w+\S*$/.test(before);
    const numbered = unnumber(code);
    const range = isName ? /:(\d+)(?:-\d+)?$/.exec(before)?.[1] : undefined;
    return {
      language: (match[3] ?? '').trim().split(/\s/)[0]?.toLowerCase() || guessLanguage(numbered.code),
      code: numbered.code,
      name: isName ? before : undefined,
      firstLine: numbered.firstLine ?? Number(range ?? 1),
    };
  });
}

/** The lines before the fences of a Markdown text, in the order of its blocks: any of them may be the name of a file. */
export function titlesOfBlocks(text: string): readonly string[] {
  return [...text.matchAll(fenced)].map(({ index }) => text.slice(0, index).trimEnd().split('\n').at(-1) ?? '');
}

/** The user's own text, where VS Code's agents surround it with theirs. */
export function ownWords(prompt: string): string {
  return /<userRequest>\s*([\s\S]*?)\s*<\/userRequest>/.exec(prompt)?.[1] ?? prompt;
}

/**
 * A message without the rules of Svc Coder before it, which mention code, files and tools, and without the instructions
 * of the project.
 */
export function withoutHouseRules(message: string): string {
  return withoutLead(message).replace(/\nWhen you give code for a file of the workspace,[\s\S]*? for what stays\./, '');
}

function withoutLead(message: string): string {
  const ofOrganization = /^These are the organization's instructions\.[^\n]*\n\n[^\n]*\n(`{3,})[\s\S]*?\n\1\n\n/;
  const rules =
    /^(?:You help in an editor\.|Files, tool results and the project's instructions)[\s\S]*? runs by itself\.\n\n/;
  // In a request for code, the organization's instructions come before the rules.
  const asked = message.replace(ofOrganization, '');
  if (!rules.test(asked)) return asked;
  let rest = asked
    .replace(rules, '')
    .replace(/^You (?:plan, and change nothing|change files by proposing changes with the tools)\.[\s\S]*?\n\n/, '')
    .replace(ofOrganization, '');
  const instructions = /^These are the project's instructions \([^\n]*\):\n\n[^\n]*(?:\n(`{3,})[\s\S]*?\n\1)?\n\n/;
  while (instructions.test(rest)) rest = rest.replace(instructions, '');
  return rest;
}

/** A prompt without its code, so that words in the code are not taken for the user's. */
export function proseOf(text: string): string {
  return text.replace(fenced, '').trim();
}

/** Lines that all begin with a number, such as `12 | return x`, are treated as a listing. The last one may be empty. */
function unnumber(code: string): { readonly code: string; readonly firstLine?: number } {
  const lines = code.replace(/\n$/, '').split('\n');
  const parts = lines.map((line) => /^\s*(\d+)\s?[|:\t] ?(.*)$/.exec(line));
  if (lines.length === 0 || parts.some((part) => part === null)) return { code };
  return { code: parts.map((part) => part?.[2] ?? '').join('\n'), firstLine: Number(parts[0]?.[1] ?? 1) };
}

function guessLanguage(code: string): string {
  if (/^\s*(def \w+\(.*\).*:|from \w+ import|import \w+$)/m.test(code)) return 'python';
  if (/^\s*(interface|type|enum) \w+|\w\)?: (string|number|boolean)\b/m.test(code)) return 'typescript';
  if (/\b(function|const|let|=>)\b/.test(code)) return 'javascript';
  return 'text';
}
