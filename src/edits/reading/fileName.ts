/** The language and the file that the opening line of a code block gives. */
export interface FenceInfo {
  readonly language: string;
  /** The file as it is written, unchecked. */
  readonly file?: string;
}

const path = String.raw`(?:[^\s'"${'`'}*<>|,;()]*[/\\])?[^\s'"${'`'}*<>|,;()/\\]*\.[A-Za-z][A-Za-z0-9]{0,9}`;
const wholePath = new RegExp(`^(${path})$`);
/** The extensions that make a name without a folder a file name: `config.ts` is one, `Math.round` is not. */
const knownExtensions =
  /\.(?:[cm]?[jt]sx?|pyi?|java|kts?|go|cs|csx|csproj|sql|ya?ml|jsonc?|mdx?|html?|s?css|less|rb|rs|php|[ch](?:pp|xx|c)?|hh|swift|scala|groovy|gradle|sh|bash|ps1|toml|xml|vue|svelte|astro|txt|proto|tf|tfvars|ini|cfg|conf|properties|razor|graphql|prisma|lua|dart|ex|exs|r|jl|lock|env|bat|csv)$/i;
const plainNames =
  /^(?:[\w.@$-]+\/)*(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|Rakefile|Procfile|Vagrantfile|Justfile|LICENSE|\.env[.\w]*|\.[a-z]+rc)$/;

/**
 * Reads the opening line of a block: ` ts title="src/a.ts"`, `ts src/a.ts`, `ts:src/a.ts`, `ts file=src/a.ts`, or
 * `src/a.ts` alone.
 */
export function readFenceInfo(info: string): FenceInfo {
  const text = info.trim().slice(0, 600);
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  const attribute =
    /(?:^|[\s{])(?:title|file|filename|filepath|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`|([^\s"'}]+))/i.exec(
      text,
    );
  const [, language = '', after = ''] = /^\{?\.?(?:language-)?([\w+#.-]*?)[,}]?(?::(.+))?$/.exec(word) ?? [];
  const named = attribute?.slice(1).find((each) => each !== undefined);
  if (named !== undefined) return withFile(attribute?.index === 0 ? '' : language, named);
  if (after !== '') return withFile(language, rest === '' ? after : '');
  if (rest === '')
    return isPath(word) && /[/\\.]/.test(word.slice(1)) && !/^[a-z]+\+?$/i.test(word)
      ? withFile('', word)
      : { language };
  const alone = rest.replace(/^(["'`(])(.*?)["'`)]$/, '$2');
  const isPathAlone = !/\s/.test(alone) && (isPath(alone) || /^[^\s=]*[/\\][^\s=]*$/.test(alone));
  return isPathAlone ? withFile(language, alone) : { language };
}

function withFile(language: string, name: string): FenceInfo {
  const file = cleanFile(name);
  return file === '' ? { language } : { language, file };
}

/**
 * Removes quotation marks, `file://` and a line reference such as `:12-20` from a file name, and replaces backslashes
 * with slashes.
 */
export function cleanFile(name: string): string {
  return name
    .trim()
    .replace(/^["'`]|["'`]$/g, '')
    .replace(/(?::\d+(?:-\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?|(?<!\s)\s*\((?:lines?|L)\s*\d+[^)]{0,30}\))$/i, '')
    .replace(/^file:\/\//i, '')
    .replaceAll('\\', '/');
}

/**
 * Whether a text is a file name: it has a folder or a known extension, or it is a known name without an extension, such
 * as `Makefile`.
 */
export function isPath(text: string): boolean {
  const clean = cleanFile(text);
  return (
    clean.length > 1 &&
    clean.length <= 400 &&
    ((wholePath.test(clean) && (/[/]/.test(clean) || knownExtensions.test(clean))) || plainNames.test(clean)) &&
    !/^\d+(?:\.\d+)+$/.test(clean)
  );
}

/** Returns the file that the line before a block names: a heading, bold text, code, or only a name with a colon. */
export function fileInHeading(line: string): string | undefined {
  const text = line.trim();
  if (text.length > 300) return undefined;
  const inside = /^#{1,6}\s+(.*)$/.exec(text)?.[1] ?? /^(?:[-*]|\d+[.)])\s+(.*)$/.exec(text)?.[1] ?? text;
  const word = inside
    .replace(/^\*\*(?:file|path|datei)\s*:?\*\*:?\s*/i, '')
    .replace(/^\d+[.)]\s+/, '')
    .replace(/^(?:new |updated |changed |modified )?(?:file|datei|path|in)\s*:?\s+/i, '')
    .replace(/[:,]\s*$/, '')
    .replace(/\s*\((?:new|updated|changed|modified|neu|geändert|excerpt|new file)[^)]{0,40}\)\s*:?$/i, '')
    .replace(/^(\*\*|__|\*|_)(.*)\1$/, '$2')
    .replace(/[:,]\s*$/, '')
    .replace(/^(?:file|datei|path)\s*:\s*/i, '')
    .replace(/^(`+)(.*)\1$/, '$2')
    .replace(/^(\*\*|__)(.*)\1$/, '$2')
    .replace(/[:,]\s*$/, '');
  const quoted = isPath(word) ? word : onlyQuotedPath(inside);
  return quoted === undefined ? undefined : cleanFile(quoted);
}

/** Returns the only path in backticks in a sentence that ends with a colon and so introduces the block. */
function onlyQuotedPath(text: string): string | undefined {
  if (!/:\s*(?:\*\*)?$/.test(text) && !/^\*\*.*\*\*$/.test(text)) return undefined;
  const quoted = [...text.matchAll(/`([^`]{2,200})`/g)].map(([, each = '']) => each).filter(isPath);
  const [only, ...others] = new Set(quoted);
  return others.length === 0 ? only : undefined;
}

/** Returns the file that the first line of code names, if that line is a comment with only a file name. */
export function fileInComment(line: string): string | undefined {
  const text = line.trim();
  if (text.length > 300) return undefined;
  const [, commentText = ''] = /^(?:\/\/|#(?!!)|--|;|%|\/\*+|<!--|\{\/\*)\s*(.*?)\s*(?:\*\/\}?|-->)?$/.exec(text) ?? [];
  const word = commentText
    .replace(/^(?:file(?:name|path)?|path|datei)\s*:\s*/i, '')
    .replace(/\s*\((?:new|updated|changed|modified)[^)]{0,30}\)$/i, '');
  const isFile = isPath(word) && (/[/\\]/.test(word) || word !== commentText || /^[\w.-]+\.[a-z]{1,5}$/i.test(word));
  return isFile ? cleanFile(word) : undefined;
}

/** The files that a text names anywhere, such as in the output of a compiler, without lines and columns. At most 50. */
export function filesIn(text: string): readonly string[] {
  const words = text.slice(0, 100_000).split(/[\s'"`*<>|,;:(){}]+/);
  const names = words
    .filter((word) => word.length <= 400 && word.includes('.'))
    .map((word) => word.replace(/\.+$/, ''));
  const files = names.filter(isPath);
  return [...new Set(files.map(cleanFile))].slice(0, 50);
}
