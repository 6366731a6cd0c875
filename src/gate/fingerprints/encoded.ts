/** Text of a run of base64 or hexadecimal digits. */
export interface Encoded {
  readonly start: number;
  readonly end: number;
  readonly decoded: string;
}

/** Shorter runs hold less than a value. */
const fewestDigits = 24;
/** Lines of base64 are wrapped after 64 or 76 digits; a shorter line does not go on in the next one. */
const wrappedDigits = 40;
/** 1 at each character of base64, in both alphabets. */
const digits = Uint8Array.from({ length: 128 }, (_, unit) => Number(/[A-Za-z0-9+/_-]/.test(String.fromCharCode(unit))));

/** How much of a run is decoded to see whether it holds text. */
const probeLength = 64;
/** Between two pauses. */
const windowLength = 64 * 1024;
/** A longer run is decoded in parts, which overlap. */
const longestRun = 1024 * 1024;

/** The texts in base64 and hexadecimal digits, decoded once. Yields null where the search may pause. */
export function* encodedIn(text: string): Generator<Encoded | null> {
  for (let from = 0; from < text.length; ) {
    const start = nextRun(text, from, Math.min(text.length, from + windowLength));
    if (start === null) from += windowLength;
    else {
      const end = endOfRun(text, start);
      yield* decodedIn(text, start, end);
      from = end + 1;
    }
    yield null;
  }
}

/** The first run before `to` that is long enough. Looks at every so many characters: a run covers one of them. */
function nextRun(text: string, from: number, to: number): number | null {
  for (let probe = from; probe < to; probe += fewestDigits) {
    if (digits[text.charCodeAt(probe)] !== 1) continue;
    // One half of the run, at least, is on one side.
    const isLeft = digits[text.charCodeAt(probe - 6)] === 1 && digits[text.charCodeAt(probe - 11)] === 1;
    if (!isLeft && (digits[text.charCodeAt(probe + 6)] !== 1 || digits[text.charCodeAt(probe + 11)] !== 1)) continue;
    let start = probe;
    while (start > from && digits[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = probe + 1;
    while (end < start + fewestDigits && digits[text.charCodeAt(end)] === 1) end += 1;
    if (end - start >= fewestDigits) return start;
  }
  return null;
}

/** The end of the digits, with those of the next lines if these are full. */
function endOfRun(text: string, from: number): number {
  let end = from;
  for (;;) {
    const start = end;
    while (digits[text.charCodeAt(end)] === 1) end += 1;
    if (end - from > longestRun || end - start < wrappedDigits) return end;
    const next = afterLineEnd(text, end);
    if (next === end || digits[text.charCodeAt(next)] !== 1) return end;
    end = next;
  }
}

/** After one line end, also an escaped one, and what a quote puts before the next line. */
function afterLineEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  const isEscaped = text.startsWith('\\n', at) || text.startsWith('\\r', at);
  if (isEscaped) at += text.startsWith('\\r\\n', at) ? 4 : 2;
  else if (text[at] === '\n' || text[at] === '\r') at += text.startsWith('\r\n', at) ? 2 : 1;
  else return from;
  for (const most = at + 40; at < most && ' \t>|#*'.includes(text[at] ?? '.'); ) at += 1;
  return at;
}

function* decodedIn(text: string, start: number, end: number): Generator<Encoded> {
  const run = text.slice(start, end).replace(/\\[rn]|[^A-Za-z0-9+/_-]/g, '');
  const isHex = /^(?:[0-9a-f]{2})+$|^(?:[0-9A-F]{2})+$/.test(run.slice(0, run.length & ~1));
  if (isHex) {
    const decoded = Buffer.from(run, 'hex').toString('latin1');
    if (isText(decoded.slice(0, probeLength))) yield { start, end, decoded };
    return;
  }
  // A part of a longer run may begin within a group of four digits.
  for (let skipped = 0; skipped < 4; skipped += 1) {
    const probe = Buffer.from(run.slice(skipped, skipped + probeLength), 'base64').toString('latin1');
    if (!isText(probe)) continue;
    yield { start, end, decoded: Buffer.from(run.slice(skipped), 'base64').toString('latin1') };
    return;
  }
}

/** Almost only printable ASCII; NUL is in UTF-16. */
function isText(text: string): boolean {
  let printable = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if ((unit >= 32 && unit < 127) || unit === 0 || (unit >= 9 && unit <= 13)) printable += 1;
  }
  return printable >= text.length * 0.9;
}
