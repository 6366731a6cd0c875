const modifiers =
  '(?:(?:export|default|declare|abstract|async|public|private|protected|internal|static|final|sealed|override|virtual|partial|readonly|unsafe|extern|synchronized|native|pub(?:\\([a-z]+\\))?|const(?= (?:fn|enum|val))|inline|open|data|suspend|local) +)*';
const declared = new RegExp(
  `^${modifiers}(?:function\\*?|class|interface|enum|namespace|module|trait|struct|record(?: struct| class)?|object|impl|fn|fun|func|def|type|const|let|var|val|mod|macro_rules!|@interface) +([\\p{L}_$][\\p{L}\\p{N}_$.]*)`,
  'u',
);
const goMethod = /^func \((?:\w+ +)?\*?(\w+)(?:\[[^\]]*\])?\) *(\w+)/;
const test =
  /^(?:await +)?(?:describe|it|test|suite|context|specify|beforeEach|afterEach|beforeAll|afterAll|before|after|t\.Run)\b[.\w]*\(\s*(?:(['"`])((?:(?!\1).){0,300})\1)?/;
/** Words before `(` that begin statements, not methods. */
const statement =
  /^(?:if|for|while|switch|catch|return|throw|await|new|super|this|else|do|using|lock|print|yield|assert)\b/;
const method =
  /^(?:(?:export|default|async|public|private|protected|internal|static|final|sealed|override|virtual|abstract|readonly|get|set|unsafe|extern|synchronized|native|new|partial) +|\*|<[^<>(){}]{0,100}> +)*(?:[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^(){};=]{0,100}>)?(?:\[\])*\?? +)?([#\p{L}_$][\p{L}\p{N}_$]*)(?:<[^(){};=]{0,100}>)? ?\(/u;
/** A constructor in Java and C#: it has no type, and the name of its class. */
const constructed =
  /^(?:(?:public|private|protected|internal|static|unsafe|extern) +|<[^<>(){}]{0,100}> +)*([\p{L}_$][\p{L}\p{N}_$]*) ?\(/u;
/** A function in C++ that is defined outside of its class. */
const outside = /^[^(){};=]{0,200}?((?:\w{1,100}(?:<[^(){};:]{1,100}>)?::)+~?\w{1,100}) ?\(/;
const hasConstructors: ReadonlySet<string> = new Set(['java', 'csharp']);
const field =
  /^(?:(?:export|public|private|protected|internal|static|final|sealed|override|virtual|readonly|declare|required|volatile|accessor|const) +)*(?:[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^(){};=]{0,100}>)?(?:\[\])*\?? +)?([#\p{L}_$][\p{L}\p{N}_$]*)[!?]?(?: *[:=;]| *\{ *(?:get|set|init)|$| *=>)/u;
const key = /^(?:- +)?(?:(["'])((?:(?!\1).){1,200})\1|([\p{L}_$][^\s:#'"(){}=,]{0,200})) *:(?: |$)/u;
const sql =
  /^(?:create|alter|drop|insert into|update|delete from|with)\b(?: +(?:or +replace|global|temporary|temp|unique|materialized|table|function|view|index|procedure|trigger|type|schema|sequence|policy|role|extension|concurrently|recursive|if +not +exists|if +exists|only))* +((?:["`[]?\w+["`\]]?\.)*["`[]?\w+["`\]]?)/i;

/** The kind of block that contains a line. */
export type Inside = 'top' | 'members' | 'keys';

/** Returns the name that a line declares, if any. `inside` is the kind of block that contains the line. */
export function nameOf(line: string, languageId: string, inside: Inside): string | undefined {
  const text = line.trim().slice(0, 400);
  switch (languageId) {
    case 'yaml':
    case 'dockercompose':
      return keyOf(text);
    case 'sql': {
      const [whole = '', name] = sql.exec(text) ?? [];
      const [verb = ''] = whole.toLowerCase().split(/\s/, 1);
      // Several statements may insert into one table.
      return name === undefined || /^(?:insert|update|delete)$/.test(verb)
        ? undefined
        : `${verb} ${name.toLowerCase()}`;
    }
    case 'python': {
      const [, name, assigned] = /^(?:(?:async +)?def|class) +(\w+)|^(\w+)(?: *:[^=]{1,200})? *=(?!=)/.exec(text) ?? [];
      const annotated = inside === 'members' ? /^(\w+) *: *["'\w]/.exec(text)?.[1] : undefined;
      return name ?? assigned ?? annotated ?? /^(["'])[^"']{1,200}\1(?= *:)/.exec(text)?.[0];
    }
    case 'shellscript': {
      const assigned = /^(?:export +|readonly +|local +)?(\w+)=/.exec(text)?.[1];
      if (assigned !== undefined) return assigned;
      break;
    }
    case 'dotenv':
    case 'properties':
    case 'ini':
      return /^([\w.-]+)\s*[=:]/.exec(text)?.[1];
    case 'json':
    case 'jsonc':
      return keyOf(text);
  }
  if (isStyles(languageId)) return /^([^{}]+?)\s*\{$/.exec(text)?.[1] ?? /^([$@]?[\w-]+)\s*:/.exec(text)?.[1];
  if (/^(?:terraform|hcl)/.test(languageId)) {
    const block = /^(?:resource|data|module|variable|output|provider)(?: "[^"]{1,200}"){1,2}(?= *\{)/.exec(text)?.[0];
    return block ?? /^([\w-]+)\s*=(?![=>])/.exec(text)?.[1];
  }
  const receiver = goMethod.exec(text);
  if (receiver !== null) return `${receiver[1]}.${receiver[2]}`;
  const qualified = /^(?:c|cpp)$/.test(languageId) && !statement.test(text) ? outside.exec(text)?.[1] : undefined;
  if (qualified !== undefined && (inside !== 'top' || /[{(,]$/.test(text))) return qualified;
  const [, quote, title] = test.exec(text) ?? [];
  if (quote !== undefined) return `test ${title}`;
  const name = declared.exec(text)?.[1];
  if (name !== undefined) return name;
  if (inside === 'keys') return keyOf(text) ?? memberOf(text, languageId);
  if (inside === 'members') return memberOf(text, languageId);
  const [, target] = /^((?:[\p{L}_$][\p{L}\p{N}_$]*\.)+[\p{L}_$][\p{L}\p{N}_$]*) *=(?!=)/u.exec(text) ?? [];
  // A part of a class may be alone: a method with modifiers, or a line that cannot be a call.
  return (
    target ??
    (/[{]$|^(?:public|private|protected|internal|async|static|get|set|override)\b/.test(text)
      ? memberOf(text, languageId)
      : undefined)
  );
}

export function isStyles(languageId: string): boolean {
  return /^(?:css|scss|less)$/.test(languageId);
}

function keyOf(text: string): string | undefined {
  const [, , quoted, plain] = key.exec(text) ?? [];
  const named = /^- +(?:name|id|alert|record|job_name|key|title): *(.{1,200})$/.exec(text)?.[1];
  return named === undefined ? (quoted ?? plain) : `- ${named}`;
}

function memberOf(text: string, languageId: string): string | undefined {
  if (statement.test(text)) return undefined;
  const operator = /\boperator *([^\s\w(]{1,3}|true|false) *\(/.exec(text)?.[1];
  if (operator !== undefined) return `operator ${operator}`;
  const made = hasConstructors.has(languageId) ? constructed.exec(text)?.[1] : undefined;
  // The class with this name is another declaration.
  if (made !== undefined) return `${made}()`;
  return method.exec(text)?.[1] ?? field.exec(text)?.[1];
}
