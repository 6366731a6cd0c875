import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beginOf } from '../../../src/edits/text/begin.ts';
import { Code } from '../../../src/edits/text/units.ts';

/** The text of the line at which a declaration begins; `§` marks where it begins without what is above it. */
function begins(languageId: string, marked: string): string | null {
  const all = marked.split('\n');
  const head = all.findIndex((line) => line.includes('§'));
  const character = all[head]?.indexOf('§') ?? 0;
  const lines = all.map((line) => line.replace('§', ''));
  const begin = beginOf(new Code(lines, languageId), head, character);
  return begin === null ? null : (lines[begin] ?? '');
}

describe('a declaration begins at', () => {
  const own: readonly (readonly [languageId: string, text: string, begin: string])[] = [
    ['typescript', 'const a = 1;\n\n/**\n * Adds.\n */\n§export function add() {}', '/**'],
    ['typescript', '/** Adds. */\nexport §function add() {}', '/** Adds. */'],
    ['typescript', 'b();\n// Adds.\n// Twice.\n§function add() {}', '// Adds.'],
    ['typescript', '/** A. */\n@Injectable({\n  scope: "a",\n})\n§export class A {}', '/** A. */'],
    ['typescript', '/** A. */\n§@Injectable({\n  scope: "a",\n})\nexport class A {}', '/** A. */'],
    ['typescript', '  a = 1;\n\n  /** Adds. */\n  @log\n  §add() {}', '  /** Adds. */'],
    ['typescript', '/** The first. */\n/* The second. */\n§function a() {}', '/** The first. */'],
    ['typescript', '/** A. */ §function a() {}', '/** A. */ function a() {}'],
    ['typescriptreact', '/** A page. */\n// eslint-disable-next-line\n§export function Page() {}', '/** A page. */'],
    ['python', 'a = 1\n\n# Adds.\n@cache\n§def add():\n    pass', '# Adds.'],
    ['python', '@app.route(\n    "/a",\n    methods=["GET"],\n)\n@auth\n§async def a():\n    pass', '@app.route('],
    ['python', '@app.route(\n    """\n  )\n    """,\n)\n§def a():\n    pass', '@app.route('],
    ['python', 'class A:\n    @property\n    # Slow.\n    §def a(self):\n        pass', '    @property'],
    ['java', '/** A. */\n@Service\n@Named("a")\npublic §class A {}', '/** A. */'],
    ['java', '  int a;\n\n  /**\n   * Adds.\n   * @return it\n   */\n  @Override\n  §public int add() {}', '  /**'],
    ['go', 'var a = 1\n\n// Add adds.\n//\n// It is fast.\n§func Add() {}', '// Add adds.'],
    ['go', '// Queue waits.\ntype §Queue struct {}', '// Queue waits.'],
    [
      'csharp',
      '/// <summary>Adds.</summary>\n[HttpGet("a")]\n[Authorize]\n§public int Add() {}',
      '/// <summary>Adds.</summary>',
    ],
    ['csharp', '[Theory,\n InlineData(1)]\n§public void Test() {}', '[Theory,'],
    [
      'sql',
      'select 1;\n\n-- Finds patients.\n-- All of them.\n§create view patients as select 1;',
      '-- Finds patients.',
    ],
    ['sql', '/* Finds\n   patients. */\n§create function find() returns int;', '/* Finds'],
    ['yaml', 'a: 1\n# The database.\n# Not public.\n§db:\n  image: b', '# The database.'],
    ['yaml', 'steps:\n  # Builds.\n  - §name: build\n    run: b', '  # Builds.'],
    ['rust', '/// Adds.\n#[inline]\n#[derive(\n  Debug\n)]\n§pub fn add() {}', '/// Adds.'],
    ['ruby', '# Adds.\n§def add\nend', '# Adds.'],
    ['css', '/* Buttons. */\n§.button {\n}', '/* Buttons. */'],
    ['html', '<!-- The\n  head. -->\n§<header></header>', '<!-- The'],
    ['kotlin', '/** A. */\n@Test\n§fun a() {}', '/** A. */'],
    ['shellscript', '# Builds.\n§build() {\n}', '# Builds.'],
    // What already begins at its comment, or in it, begins there.
    ['java', '§/** A. */\nclass A {}', '/** A. */'],
    ['java', '/**\n§ * A.\n */\nclass A {}', '/**'],
  ];
  for (const [languageId, text, begin] of own) {
    it(`its comments and decorators: ${JSON.stringify(text)}`, () => assert.equal(begins(languageId, text), begin));
  }

  const others: readonly (readonly [languageId: string, text: string, why: string])[] = [
    ['typescript', '/** Of another one. */\n\n§function a() {}', 'a blank line is between'],
    ['typescript', '// Copyright 2026 A\n// All rights reserved.\n§function a() {}', 'a licence'],
    ['typescript', '/*\n * Licensed under the Apache License.\n */\n§function a() {}', 'a licence'],
    ['typescript', '/** @fileoverview Adds. */\n§function a() {}', 'what the file is for'],
    ['python', '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n§def a():\n    pass', 'the interpreter'],
    ['python', '# SPDX-License-Identifier: MIT\n§def a():\n    pass', 'a licence'],
    ['python', '"""About\n@all.\n"""\n§def a():\n    pass', 'a text'],
    ['python', 'def b():\n    c()\n    # More later.\n§def a():\n    pass', 'a comment of the function above'],
    ['python', 'f = g(\n    a,\n)\n§def a():\n    pass', 'a call'],
    ['python', 'x = """\n@app\n# not a comment"""\n§def a():\n    pass', 'the end of a text'],
    ['go', 'var b = 1 // B.\n§func a() {}', 'a comment beside other code'],
    ['typescript', 'b(); /* of b,\n over lines */\n§function a() {}', 'a comment that begins beside other code'],
    ['typescript', '/* of b */ b();\n§function a() {}', 'other code after a comment'],
    ['typescript', '/* of\n b */ b();\n§function a() {}', 'other code after a comment'],
    ['typescript', 'use(@log b)\n§function a() {}', 'other code'],
    ['csharp', '[assembly: InternalsVisibleTo("a")]\n§namespace A {}', 'an attribute of the assembly'],
    ['csharp', '#pragma warning disable\n§class A {}', 'a directive'],
    ['rust', '//! About the crate.\n§fn a() {}', 'a comment of the crate'],
    ['rust', '#![allow(dead_code)]\n§fn a() {}', 'an attribute of the crate'],
    ['sql', "select '\n-- no comment';\n§create view a as select 1;", 'a text'],
    ['yaml', 'a:\n  b: 1\n  # c: 2\n§d: 3', 'a comment of the key above'],
    ['yaml', 'a: |\n  # text\n§d: 3', 'a text'],
    ['sql', '-- Licensed under the MIT License\n§create view a as select 1;', 'a licence'],
  ];
  for (const [languageId, text, why] of others) {
    it(`its own line, where what is above is ${why}: ${JSON.stringify(text)}`, () => {
      assert.equal(
        begins(languageId, text),
        text
          .split('\n')
          .find((line) => line.includes('§'))
          ?.replace('§', ''),
      );
    });
  }

  it('its comment, where only that of the file is above it', () => {
    assert.equal(begins('typescript', '/* Copyright A */\n/** Adds. */\n§function a() {}'), '/** Adds. */');
    assert.equal(begins('python', '#!/bin/python\n# Adds.\n§def a():\n    pass'), '# Adds.');
    const licence = '/** Whether the licence of a driver is valid. */';
    assert.equal(begins('typescript', `${licence}\n§function isValid() {}`), licence);
  });

  it('its own line, below a bracket that nothing opens', () => {
    assert.equal(begins('typescript', '@a(\n)\n\n)\n§function a() {}'), 'function a() {}');
    assert.equal(begins('typescript', '@a(\n\n)\n§function a() {}'), '@a(');
  });

  it('no line, where other code stands before it', () => {
    assert.equal(begins('typescript', '// A.\nrun(§function a() {})'), null);
    assert.equal(begins('typescript', '// A.\nb(); §function a() {}'), null);
  });

  it('a line at or above its own, with nothing but what belongs to it between, whatever the text is', () => {
    const line = fc.constantFrom(
      '/**',
      ' */',
      '// a',
      '# b',
      '@c',
      '@c(',
      ')',
      '[D]',
      '`',
      '"""',
      "'",
      '',
      'e();',
      '{',
      '}',
      '  # f',
      '-- g',
      '<!--',
      '-->',
    );
    const language = fc.constantFrom(
      'typescript',
      'python',
      'java',
      'go',
      'csharp',
      'sql',
      'yaml',
      'rust',
      'html',
      'ruby',
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), language, fc.nat(), (lines, languageId, at) => {
        const head = at % lines.length;
        const code = new Code(lines, languageId);
        const begin = beginOf(code, head, 0) ?? head;
        assert.ok(begin >= 0 && begin <= head);
        const isOpen = (index: number): boolean =>
          code.scan.inComment[index] === true || code.scan.inText[index] === true;
        const between = lines.slice(begin, head);
        // The arguments of a decorator may have blank lines.
        const depthAt = (index: number): number => code.scan.before[index] ?? 0;
        const isInArguments = (index: number): boolean => depthAt(begin + index) > depthAt(begin);
        assert.ok(
          between.every((each, index) => each !== '' || isOpen(begin + index) || isInArguments(index)),
          'a blank line',
        );
        assert.ok(
          !between.includes('e();') || between.some((_, index) => isOpen(begin + index)) || between.includes('@c('),
        );
      }),
    );
  });
});
