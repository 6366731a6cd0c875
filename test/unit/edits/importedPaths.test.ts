import assert from 'node:assert/strict';
import fc from 'fast-check';
import { importedPaths } from '../../../src/edits/importedPaths.ts';
import { processorMs } from '../../tools/processorTime.ts';

/** What a file with these imports finds among files, as a workspace would. */
function found(languageId: string, path: string, text: string, files: readonly string[], module?: string) {
  return importedPaths(text.split('\n'), languageId, path, module).flatMap((each): readonly string[] => {
    if (each.is === 'file') return each.paths.filter((one) => files.includes(one)).slice(0, 1);
    const folder = each.folders.find((one) => files.some((file) => file.startsWith(`${one}/`)));
    return folder === undefined ? [] : [`${folder}/*.${each.extension}${each.byName ? ' by name' : ''}`];
  });
}

describe('the files that a file imports', () => {
  it('are relative ones in TypeScript and JavaScript, whatever their extension', () => {
    const text = [
      "import a, { b } from './a';",
      "import type { C } from '../lib/c.js';",
      "export * from '../lib';",
      "const d = require('./d');",
      "const e = await import('./e.mjs');",
      'import {',
      '  f,',
      '} from "./f.vue";',
      "import './styles.css';",
      "import react from 'react';",
      "import g from '../../../outside';",
      "import h from './a';",
    ].join('\n');
    const files = ['src/a.ts', 'src/a/index.ts', 'lib/c.ts', 'lib/index.tsx', 'src/d.js', 'src/e.mts', 'src/f.vue'];
    assert.deepEqual(found('typescript', 'src/main.ts', text, [...files, 'src/styles.css', 'outside.ts', 'react.ts']), [
      'src/a.ts',
      'lib/c.ts',
      'lib/index.tsx',
      'src/d.js',
      'src/e.mts',
      'src/f.vue',
      'src/a.ts',
    ]);
    assert.deepEqual(found('javascript', 'main.js', "import a from './a.js';", ['a.js', 'a.ts']), ['a.js']);
  });

  it('are modules and packages in Python, relative and from a root', () => {
    const text = [
      'from .a import b',
      'from . import c, d as e',
      'from ..lib.f import g',
      'from shop.pay import h',
      'import shop.tax as tax, os',
      'from .... import out',
      'from typing import List',
    ].join('\n');
    const files = ['src/shop/app/a.py', 'src/shop/app/c/__init__.py', 'src/shop/app/d.py', 'src/shop/lib/f.py'];
    assert.deepEqual(
      found('python', 'src/shop/app/main.py', text, [...files, 'src/shop/pay.py', 'src/shop/tax.py', 'out.py']),
      [...files, 'src/shop/pay.py', 'src/shop/tax.py', 'out.py'],
    );
  });

  it('are classes and packages in Java and Kotlin, also of what a test tests', () => {
    const text = [
      'package com.shop.app;',
      '',
      'import java.util.List;',
      'import com.shop.pay.Queue;',
      'import static com.shop.tax.Rates.BASE;',
      'import com.shop.model.*;',
      'import org.other.Thing;',
    ].join('\n');
    const main = 'app/src/main/java/com/shop';
    const files = [`${main}/pay/Queue.java`, `${main}/tax/Rates.java`, `${main}/model/A.java`];
    const meant = [`${main}/pay/Queue.java`, `${main}/tax/Rates.java`, `${main}/model/*.java by name`];
    assert.deepEqual(found('java', `${main}/app/Main.java`, text, files), meant);
    assert.deepEqual(found('java', 'app/src/test/java/com/shop/app/MainTest.java', text, files), meant);
    assert.deepEqual(found('java', 'elsewhere/Main.java', text, files), []);
    assert.deepEqual(
      found('kotlin', 'com/shop/app/M.kt', 'package com.shop.app\nimport com.shop.B', ['com/shop/B.kt']),
      ['com/shop/B.kt'],
    );
  });

  it('are folders of the module in Go, and of the namespace in C#', () => {
    const text =
      'package main\n\nimport (\n\t"fmt"\n\tpay "example.com/shop/internal/pay"\n\t"example.com/other/x"\n)\n';
    const files = ['services/shop/internal/pay/queue.go', 'x/x.go', 'fmt/f.go'];
    assert.deepEqual(found('go', 'services/shop/cmd/main.go', text, files, 'services/shop example.com/shop'), [
      'services/shop/internal/pay/*.go',
    ]);
    assert.deepEqual(found('go', 'services/shop/cmd/main.go', text, files), []);
    assert.deepEqual(
      found('csharp', 'src/Shop.App/Main.cs', 'using System;\nusing Shop.Pay;\nusing static Shop.Tax.Rates;\n', [
        'src/Shop.App/Pay/Queue.cs',
        'src/Shop/Pay/Other.cs',
        'Collections/A.cs',
      ]),
      ['src/Shop.App/Pay/*.cs by name'],
    );
  });

  it('are in a project whose folder has the whole name, in C#', () => {
    const using = 'using Shop.Pay.Model;\n';
    assert.deepEqual(found('csharp', 'src/Shop.App/Main.cs', using, ['src/Shop.Pay/Model/A.cs']), [
      'src/Shop.Pay/Model/*.cs by name',
    ]);
  });

  it('are few, and found soon, whatever a file imports and however deep it is', () => {
    const deep = `${Array.from({ length: 60 }, (_, at) => `d${at}`).join('/')}/c.x`;
    const hostile: Readonly<Record<string, readonly string[]>> = {
      typescript: [`import${' '.repeat(990)}!`, `from './${'../'.repeat(90)}a'; `.repeat(3), 'import ('.repeat(120)],
      python: [
        `from x.y import ${'a,'.repeat(490)}`,
        `from ${'x.'.repeat(240)}y import ${'a,'.repeat(240)}`,
        `import ${'a,'.repeat(490)}`,
        `from ${'.'.repeat(490)}${' '.repeat(490)}!`,
      ],
      java: [`import a${' '.repeat(980)}!`, `import ${'a.'.repeat(490)}*;`],
      go: [`import ${'a'.repeat(980)}`, `"example.com/a/${'b/'.repeat(150)}"`],
      csharp: [`using ${'a.'.repeat(490)}b;`, `using${' '.repeat(980)}`, `using ${'a.'.repeat(11)}b;`],
    };
    const from = processorMs();
    for (const [languageId, lines] of Object.entries(hostile)) {
      for (const line of lines) {
        const file = Array.from({ length: 300 }, () => line);
        const found = importedPaths(file, languageId, deep, 'd0 example.com/a');
        const paths = found.flatMap((each) => (each.is === 'file' ? each.paths : each.folders));
        assert.ok(found.length <= 40 && paths.length <= 2_000, `${languageId}: ${found.length}, ${paths.length}`);
      }
    }
    // Each of them took up to 18 seconds, or more memory than there was.
    assert.ok(processorMs() - from < 1_500, `${processorMs() - from} ms`);
  });

  it('are in the module, wherever the import of one leads in Go', () => {
    const text = 'import (\n\t"example.com/a/../../other"\n\t"example.com/a/../b"\n)\n';
    const found = importedPaths(text.split('\n'), 'go', 'a/c.go', 'a example.com/a');
    assert.deepEqual(
      found.map((each) => (each.is === 'folder' ? each.folders : [])),
      [['b']],
    );
  });

  it('are none in other languages, and never outside the workspace folder', () => {
    assert.deepEqual(importedPaths(["@import './a';"], 'css', 'a.css'), []);
    assert.deepEqual(importedPaths(['import a'], 'constructor', 'a.x'), []);
    const part = fc.constantFrom('..', '.', 'a', '', 'b.ts', '...', '~');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('', 'a/b/'), (parts, folder) => {
        const to = `./${parts.join('/')}`;
        const text = [`import x from '${to}';`, `from ${'.'.repeat(parts.length)}a import b`, `import a.b.C;`];
        for (const languageId of ['typescript', 'python', 'java', 'csharp', 'go'])
          for (const each of importedPaths(text, languageId, `${folder}f.x`))
            for (const path of each.is === 'file' ? each.paths : each.folders)
              assert.ok(!path.startsWith('/') && !path.split('/').some((one) => one === '..' || one === '.'), path);
      }),
    );
  });
});
