// Runs in a separate Node with the scanner's bundle and a text. Prints which globals changed when the bundle was loaded
// and used, how many marks it left on `performance`, and which rules found something.
const names = () => [...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertySymbols(globalThis)];
// Some of Node's globals are created on first access, so all are read before the comparison.
const look = () => new Map(names().map((name) => [name, globalThis[name]]));
look();
const before = look();
const changed = () => {
  const after = look();
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => !Object.is(before.get(key), after.get(key)))
    .map(String);
};
const { scanText } = require(process.argv[2]);
const onLoad = changed();
scanText(process.argv[3]).then((found) => {
  const marks = performance.getEntriesByType('mark').length;
  console.log(JSON.stringify({ onLoad, afterUse: changed(), marks, found: found.map(({ rule }) => rule) }));
});
