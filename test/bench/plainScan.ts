const gram = 16;
const base = 0x01000193;
const power = (() => {
  let value = 1;
  for (let at = 0; at < gram; at += 1) value = Math.imul(value, base);
  return value;
})();

/** A bit for each hash that is searched for; as large as the filter of the recognition for a hundred files: 128 KiB. */
const filter = new Int32Array(2 ** 15);
for (let word = 0; word < filter.length; word += 97) filter[word] = 1 << (word & 31);

/** A text for plainScan(), made before the time is taken. */
export function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

/**
 * The peer of the recognition of excluded files: the algorithm of Rabin and Karp (1987) over a text, with one rolling hash and
 * one look into a filter for each unit. Its time does not depend on the text. Returns the number of hashes that pass.
 */
export function plainScan(units: Uint16Array): number {
  let [hash, passed] = [0, 0];
  for (let at = 0; at < gram; at += 1) hash = (Math.imul(hash, base) + (units[at] ?? 0)) | 0;
  for (let at = gram; at < units.length; at += 1) {
    hash = (Math.imul(hash, base) + (units[at] ?? 0) - Math.imul(power, units[at - gram] ?? 0)) | 0;
    const bit = Math.imul(hash, 0x9e3779b1) >>> 12;
    passed += ((filter[bit >>> 5] ?? 0) >>> (bit & 31)) & 1;
  }
  return passed;
}
