import type { Contender } from '../stage.ts';

/** The floor: the same text, not formatted, in text nodes of 2 KB, each in a block of its own. */
const nodeLength = 2048;

const root = document.createElement('div');
root.style.whiteSpace = 'pre-wrap';
document.body.append(root);
let last: Text | undefined;

const contender: Contender = {
  take(_, text) {
    for (let rest = text; rest !== ''; ) {
      if (last === undefined || last.length >= nodeLength) {
        last = document.createTextNode('');
        const block = document.createElement('div');
        block.append(last);
        root.append(block);
      }
      const part = rest.slice(0, nodeLength - last.length);
      last.appendData(part);
      rest = rest.slice(part.length);
    }
  },
};
window.stage.contender = contender;
