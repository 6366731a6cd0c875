import type { Contender } from '../stage.ts';

/** The minimum: the same text without formatting, in text nodes of 2 KB, each in its own block. */
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
