import assert from 'node:assert/strict';
import { Fingerprints } from '../../../../src/gate/fingerprints/fingerprints.ts';
import { licenses } from '../../../../src/gate/fingerprints/licenses.ts';
import { find } from '../../../fuzz/fingerprint/measure.ts';
import { Dice } from '../../../tools/dice.ts';
import { finished } from '../../../tools/processorTime.ts';

const warranty = (kind: string): string => `in the hope that it will be useful,
but WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
GNU ${kind} for more details.

You should have received a copy of the GNU ${kind}
along with`;

const bsd = (who: string, no: string): string => `THIS SOFTWARE IS PROVIDED BY ${who} \`\`AS IS'' AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
ARE DISCLAIMED.  IN NO EVENT SHALL ${no} BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS`;

/** Notices as they begin files, as each license recommends them. */
const notices: Readonly<Record<string, string>> = {
  'GPL 2': `This program is free software; you can redistribute it and/or modify
it under the terms of the GNU General Public License as published by
the Free Software Foundation; either version 2 of the License, or
(at your option) any later version.

This program is distributed ${warranty('General Public License')}
this program; if not, write to the Free Software Foundation, Inc.,
51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA.`,
  'GPL 2, earlier address': `along with this program; if not, write to the Free Software
Foundation, Inc., 59 Temple Place, Suite 330, Boston, MA  02111-1307  USA`,
  'GPL 2 only': `This program is free software; you can redistribute it and/or modify
it under the terms of the GNU General Public License version 2 as
published by the Free Software Foundation.`,
  'LGPL 2.1': `This library is free software; you can redistribute it and/or
modify it under the terms of the GNU Lesser General Public
License as published by the Free Software Foundation; either
version 2.1 of the License, or (at your option) any later version.

This library is distributed ${warranty('Lesser General Public License')}
this library; if not, write to the Free Software
Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA  02110-1301  USA`,
  'GPL 3 with a name': `This file is part of Foo.

Foo is free software: you can redistribute it and/or modify
it under the terms of the GNU General Public License as published by
the Free Software Foundation, either version 3 of the License, or
(at your option) any later version.

Foo is distributed ${warranty('General Public License')}
Foo.  If not, see <http://www.gnu.org/licenses/>.`,
  'AGPL 3 only': `it under the terms of the GNU Affero General Public License, version 3,
as published by the Free Software Foundation.`,
  'BSD of an author': bsd('THE AUTHOR', 'THE AUTHOR'),
  'BSD of an author and contributors': bsd('THE AUTHOR AND CONTRIBUTORS', 'THE AUTHOR OR CONTRIBUTORS'),
  'BSD of the regents, with four clauses': `3. All advertising materials mentioning features or use of this software
   must display the following acknowledgement:
     This product includes software developed by the University of
     California, Berkeley and its contributors.
4. Neither the name of the University nor the names of its contributors
   may be used to endorse or promote products derived from this software
   without specific prior written permission.

${bsd('THE REGENTS AND CONTRIBUTORS', 'THE REGENTS OR CONTRIBUTORS')}`,
  'a file of a BSD license': `Copyright 2019 The Go Authors. All rights reserved.
Use of this source code is governed by a BSD-style
license that can be found in the LICENSE file.`,
  'a file of an MIT license': `This source code is licensed under the MIT license found in the
LICENSE file in the root directory of this source tree.`,
};

const beside = (seed: number): string => {
  const dice = new Dice(seed);
  return Array.from({ length: 20 }, () => dice.text(60, 'bcdfghjklmnpqrstvwxz ')).join('\n');
};

describe('gate: the notice of a license in an excluded file', () => {
  for (const [name, notice] of Object.entries(notices)) {
    it(`is not its own text: ${name}`, () => {
      // What is found depends on the random key.
      for (let key = 0; key < 5; key += 1) {
        const prints = new Fingerprints();
        for (const text of licenses) finished(prints.addPublic(text, 'constant'));
        const text = `${notice}\n\n${beside(key)}\n`;
        assert.equal(finished(prints.add({ file: 1, text, isCredential: false })), 'recognized');
        for (const mark of ['', ' * ', '// ', '# ', '+// ']) {
          const sent = notice.replaceAll(/^/gm, mark);
          assert.deepEqual(find(prints, `${sent}\n\nother text`), [], sent);
          const found = find(prints, `${sent}\n\n${beside(key)}`);
          assert.ok(
            found.some(({ end }) => end > sent.length + 60),
            sent,
          );
        }
      }
    });
  }
});
