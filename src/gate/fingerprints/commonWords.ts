import { kinds, letterOrDigit } from './characters.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Keywords of common languages, names of their standard libraries, and names that compilers write, in lower case and without
 * underscores. Such words are in the code of everyone.
 */
const commonWords: ReadonlySet<string> = new Set(
  `
abort abortcontroller aborted abortsignal abstract accessor addeventlistener aggregateerror all allsettled and any append apply
argc args arguments argv arr array arraybuffer arraybufferlike arrayfrom arraylike arraylist as assert asserts assign async
asynciterable asynciterableiterator asynciterator at atob atomics attr auto await awaiter background base begin bigint
bigint64array biguint64array bind blob body bool boolean border boundary break btoa buf buffer bufferencoding button byte
bytelength byteoffset bytes call callback callbacks cancel cancelled case catch cause cb ceil chan char character charat
charcodeat cin class clear clearinterval cleartimeout clone close cls codepointat color column concat config configurable
console const constexpr constraint constructor content contenttype continue controller copyprops copywithin count cout crate
create createbinding createelement crypto ctx customevent data dataview date datetimeformat datetimeformatoptions debugger
decimal declare decode decorate def default defaultview defer define defineproperties defineproperty defprop del delegate delete
desc describe descriptor dict dispatchevent display dispose disposed div do document documentelement done double dyn each echo
elif else elseif emit empty encode encodeuri encodeuricomponent end endif endl endswith ensure entries enum enumerable env err
error errorf errors esmodule eval event eventlistener eventtarget every evt except exception exec exists exit export exports
exportstar extends extendstatics extension extern fallthrough false fetch file fill filter final finalizationregistry finally
find findindex findlast findlastindex first flags flat flatmap float float32array float64 float64array floor fmt fn for foreach
foreign form format formdata fprintf freeze from fromcharcode fromentries fulfilled func function generator get getattribute
getcomputedstyle getelementbyid getownpropdesc getownpropertydescriptor getownpropertydescriptors getownpropertynames
getownpropertysymbols getownpropnames getprotoof getprototypeof getrandomvalues getreader global globalthis goto group groupby
groups guard handler handlers has hasattribute hashmap hashset hasown hasownprop hasownproperty head header headers headersinit
height href html htmlelement i16 i32 i64 i8 id idx if ifdef ifndef illegalargumentexception impl implements import importdefault
importstar in include includes index indexof infer infinity info init inline inner innerhtml input insert instance instanceof
int int16array int32 int32array int64 int8 int8array integer interface internal intl is isarray isbuffer isextensible isfinite
isfrozen isinstance isinteger isnan isnodemode issafeinteger isset isview it item items iterable iterableiterator iterator join
json key keydown keyerror keyof keys kwargs label lambda last lastindex lastindexof left len length let level limit line link
list listener listeners local locale log long main map margin match matchall math max message meta metadata method methods min
mod module mouse move mut name namespace namespaces native never new newline next nil node nodebuffer nodemode none nonlocal
nonnullable not now null nullptr num number numberformat obj object of off offset ok omit on onabort once onchange onclick
onclose ondata onend onerror onfinish oninput onload onmessage onopen onready ontimeout operator optional options or order os
out outer override ownkeys package padding padend padstart parameters params parent parentelement parse parsefloat parseint
partial pass path pending pick pop port position pragma pre preventdefault primary print printf println private process promise
properties property propertykey protected prototype proxy ptr pub public push puts queryselector queryselectorall queuemicrotask
race raise range read readable readablestream readdir readfile readfilesync readonly reason receiver record reduce reduceright
ref reflect regexp reject rejected release remove removeattribute removechild removeeventlistener repeat replace replaceall req
request requestinit require required res rescue resolve resolved resp response rest result resume return returns returntype
reverse right round runtimeexception satisfies script sealed search select self send set setattribute setinterval setprototypeof
setter settimeout shared sharedarraybuffer shift short signal signed size sizeof slice some sort source span splice split
spreadarray sprintf start startswith stat state static status statustext std step stopimmediatepropagation stoppropagation str
strict strictfp string stringify strings struct structuredclone style sub substr substring subtle success super switch symbol
synchronized syntaxerror system table tag target task template test text textcontent textdecoder textencoder textstream then
this thisarg throw throws time timeout tmp to toarray tobe tocommonjs toequal toesm toisostring tojson tolocalelowercase
tolocalestring tolowercase toreversed tosorted tospliced tostring tostringtag totalbytes touppercase trait traits
transformstream transient trim trimend trimstart true truncate try tuple type typealias typedef typeerror typename typeof types
u16 u32 u64 u8 uint uint16 uint16array uint32 uint32array uint64 uint8 uint8array uint8clampedarray undefined union unique
unknown unless unref unsafe unset unshift unsigned unsized until unwrap update url urlsearchparams use using usize utf8 util val
vals value valueerror valueof values var vec vector version virtual void volatile warn weakmap weakref weakset when where while
width window with withresolvers wrap writable writablestream write writefile writefilesync yield
`
    .trim()
    .split(/\s+/),
);

const maxWordLength = 32;
const word = /[A-Za-z0-9]+/g;
/** The number of words that are read between two chances to pause. */
const wordsAtOnce = 4_096;

/** The stretches of a text that have only common words, or single letters and digits. Yields null where it may pause. */
export function* commonIn(text: string): Generator<Span | null> {
  let [start, end, count] = [-1, -1, 0];
  for (const { 0: found, index } of text.matchAll(word)) {
    count += 1;
    if (count % wordsAtOnce === 0) yield null;
    if (isCommon(found)) {
      if (start === -1) start = index;
      end = index + found.length;
    } else if (start !== -1) {
      yield { start, end };
      start = -1;
    }
  }
  if (start !== -1) yield { start, end };
}

function isCommon(found: string): boolean {
  return found.length === 1 || (found.length <= maxWordLength && commonWords.has(found.toLowerCase()));
}

/** Matches a word that a file of data may consist of, like single letters and digits. */
const answer = /^(?:true|false|null|none)$/i;
/** The number of such words in a row that differ from the word before. An alphabet in both cases with all digits has 62. */
const minAnswers = 64;
/** The number of UTF-16 units that are read between two chances to pause. */
const unitsAtOnce = 64 * 1024;

/**
 * Whether a text has a long row of single letters, digits, and words such as `true`, which is data and not code. It is not
 * recognized, because such words are common. A repeated word is ignored, as in `0, 0, 0`. Yields null where it may pause.
 */
export function* hasCommonData(text: string): Generator<null, boolean> {
  let [start, changes, last] = [0, 0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    if (at % unitsAtOnce === unitsAtOnce - 1) yield null;
    const unit = text.charCodeAt(at);
    if (unit > 127 || kinds[unit] === letterOrDigit) continue;
    const length = at - start;
    if (length === 1 || ((length === 4 || length === 5) && answer.test(text.slice(start, at)))) {
      const found = text.charCodeAt(start) + length * 128;
      if (found !== last) changes += 1;
      if (changes === minAnswers) return true;
      last = found;
    } else if (length > 0) changes = 0;
    start = at + 1;
  }
  return false;
}
