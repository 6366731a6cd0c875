import assert from 'node:assert/strict';
import { fenced, marked, placed } from './placed.ts';

/** An answer of a kind that fits in a language: the file with its place, the code given, and the code meant. */
interface Case {
  readonly languageId: string;
  readonly info: string;
  /** `»` and `«` enclose the place. */
  readonly file: string;
  /** The place with the change. */
  readonly now: string;
  /** An import that is not there, and the line after which it goes. */
  readonly add?: readonly [line: string, after: string];
  /** The head of the place, a part of its lines omitted, and its end; what it becomes is `now`. */
  readonly omitting: string;
}

const cases: readonly Case[] = [
  {
    languageId: 'typescriptreact',
    info: 'tsx',
    file: `import React from 'react';
import { format } from './format';

»
export function Card({ sum, note }: Props) {
  const text = format(sum);
  if (text === '') return null;
  return (
    <div className="card">
      <b>{text}</b>
      {note && <i title={\`
a note
\`}>{note}</i>}
    </div>
  );
}
«

export const empty = <Card sum={0} note="" />;
`,
    now: `export function Card({ sum, note }: Props) {
  const text = format(sum);
  const label = useLabel(sum);
  if (text === '') return null;
  return (
    <div className="card">
      <b>{text}</b>
      {note && <i title={\`
a note
\`}>{note}</i>}
    </div>
  );
}`,
    add: ["import { useLabel } from './useLabel';", "import { format } from './format';"],
    omitting: `export function Card({ sum, note }: Props) {
  const text = format(sum);
  const label = useLabel(sum);
  // ... rest of the component
}`,
  },
  {
    languageId: 'python',
    info: 'python',
    file: `"""Settles."""
import os
from decimal import Decimal

LIMIT = 3


class Batch:
    """A batch."""

    def __init__(self, rows):
        self.rows = rows

»
    def total(self, currency="EUR"):
        """Adds all.

Not indented.
        """
        query = """
SELECT 1
"""
        rows = [row for row in self.rows if row.currency == currency]
        return sum(row.amount for row in rows)
«

    def count(self):
        return len(self.rows)
`,
    now: `    def total(self, currency="EUR"):
        """Adds all.

Not indented.
        """
        query = """
SELECT 1
"""
        if not self.rows:
            return Decimal(0)
        rows = [row for row in self.rows if row.currency == currency]
        return sum(row.amount for row in rows)`,
    add: ['import pathlib', 'import os'],
    omitting: `    def total(self, currency="EUR"):
        # ... existing code ...
        if not self.rows:
            return Decimal(0)
        rows = [row for row in self.rows if row.currency == currency]
        return sum(row.amount for row in rows)`,
  },
  {
    languageId: 'java',
    info: 'java',
    file: `package a.b;

import java.util.List;
import java.util.Map;

/** Keeps accounts. */
public class Accounts {
    private final Map<String, Long> sums = new HashMap<>();

»
    @Override
    public long sum(String id) {
        Long sum = sums.get(id);
        return sum;
    }
«

    public List<String> ids() {
        return List.copyOf(sums.keySet());
    }
}
`,
    now: `    @Override
    public long sum(String id) {
        Objects.requireNonNull(id);
        Long sum = sums.get(id);
        return sum;
    }`,
    add: ['import java.util.Objects;', 'import java.util.Map;'],
    omitting: `    @Override
    public long sum(String id) {
        if (id == null) {
            throw new IllegalArgumentException();
        }
        // ... existing code ...
    }`,
  },
  {
    languageId: 'go',
    info: 'go',
    file: `package ledger

import (
	"fmt"
	"time"
)

type Ledger struct {
	rows []Row
}

»
// Add adds a row.
func (l *Ledger) Add(row Row) error {
	if row.At.IsZero() {
		row.At = time.Now()
	}
	l.rows = append(l.rows, row)
	return nil
}
«

func (l *Ledger) Len() int {
	return len(l.rows)
}
`,
    now: `// Add adds a row.
func (l *Ledger) Add(row Row) error {
	if row.At.IsZero() {
		row.At = time.Now()
	}
	for _, each := range l.rows {
		fmt.Println(each)
	}
	l.rows = append(l.rows, row)
	return nil
}`,
    add: ['\t"strings"', '\t"fmt"'],
    omitting: `// Add adds a row.
func (l *Ledger) Add(row Row) error {
	// ... existing code ...
	for _, each := range l.rows {
		fmt.Println(each)
	}
	l.rows = append(l.rows, row)
	return nil
}`,
  },
  {
    languageId: 'csharp',
    info: 'csharp',
    file: `using System;
using System.Linq;

namespace Pay
{
    public class Service
    {
        private readonly Store _store;

»
        public decimal Total(string id)
        {
#if DEBUG
            Console.WriteLine(id);
#endif
            var text = @"
no indent
";
            return _store.Rows(id).Sum(row => row.Amount);
        }
«

        public int Count => _store.Count;
    }
}
`,
    now: `        public decimal Total(string id)
        {
#if DEBUG
            Console.WriteLine(id);
#endif
            var text = @"
no indent
";
            if (id is null) throw new ArgumentNullException(nameof(id));
            return _store.Rows(id).Sum(row => row.Amount);
        }`,
    add: ['using System.Text;', 'using System.Linq;'],
    omitting: `        public decimal Total(string id)
        {
            // ... existing code ...
            if (id is null) throw new ArgumentNullException(nameof(id));
            return _store.Rows(id).Sum(row => row.Amount);
        }`,
  },
  {
    languageId: 'sql',
    info: 'sql',
    file: `-- Tables.
CREATE TABLE patients (
  id integer PRIMARY KEY,
  name text
);

»
CREATE OR REPLACE FUNCTION revenue(since date) RETURNS numeric AS $$
DECLARE
  total numeric;
BEGIN
  SELECT sum(amount) INTO total FROM invoices WHERE paid_at >= since;
  RETURN total;
END;
$$ LANGUAGE plpgsql;
«

SELECT revenue('2026-01-01');
`,
    now: `CREATE OR REPLACE FUNCTION revenue(since date) RETURNS numeric AS $$
DECLARE
  total numeric;
BEGIN
  SELECT sum(amount) INTO total FROM invoices WHERE paid_at >= since;
  RETURN coalesce(total, 0);
END;
$$ LANGUAGE plpgsql;`,
    omitting: '',
  },
  {
    languageId: 'yaml',
    info: 'yaml',
    file: `apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 2
  template:
»
    spec:
      containers:
        - name: payments
          image: payments:1
          ports:
            - containerPort: 80
          args:
            - |
              run
                deeper
«
  strategy:
    type: Recreate
`,
    now: `    spec:
      containers:
        - name: payments
          image: payments:2
          ports:
            - containerPort: 80
          args:
            - |
              run
                deeper`,
    omitting: `    spec:
      containers:
        - name: payments
          image: payments:2
          # ... rest unchanged`,
  },
];

const dedented = (code: string): string => {
  const indent = /^\s*/.exec(code)?.[0].length ?? 0;
  return code.replaceAll(new RegExp(`^ {${indent}}`, 'gm'), '');
};

for (const { languageId, info, file, now, add, omitting } of cases) {
  describe(`an answer in ${languageId}`, () => {
    const { lines, places } = marked(file);
    const [place] = places;
    const old = lines.slice(place?.start, place?.end).join('\n');
    const whole = lines.join('\n');
    const meant = whole.replace(old, () => now);
    const check = (answer: string, wanted = meant): void => assert.equal(placed(languageId, file, answer), wanted);

    it('an answer with all of the code is placed', () => check(fenced(now, info)));
    it('moved to the left', () => check(fenced(dedented(now), info)));
    it('an answer with Windows line endings is placed', () => check(fenced(now, info).replaceAll('\n', '\r\n')));
    it('an answer between blank lines is placed', () => check(fenced(`\n${now}\n\n`, info)));
    it('an answer that is the whole file is placed', () => check(fenced(meant, info)));
    it('an applied answer that is the whole file is placed', () =>
      assert.equal(placed(languageId, whole, fenced(meant, info)), meant));
    it('an applied answer that is a part of the file is placed', () =>
      assert.equal(placed(languageId, whole, fenced(now, info)), meant));
    it('an answer that is a diff is placed', () => {
      const [had, has] = [old.split('\n'), now.split('\n')];
      const first = has.findIndex((line, at) => line !== had[at]);
      const same = has.toReversed().findIndex((line, at) => line !== had.at(-1 - at));
      const after = Math.min(same, had.length - first);
      const from = Math.max(0, first - 2);
      const body = [
        ...had.slice(from, first).map((line) => ` ${line}`),
        ...had.slice(first, had.length - after).map((line) => `-${line}`),
        ...has.slice(first, has.length - after).map((line) => `+${line}`),
        ...had.slice(had.length - after).map((line) => ` ${line}`),
      ];
      check(fenced(`@@ -1,9 +1,9 @@\n${body.join('\n')}`, 'diff'));
      assert.equal(placed(languageId, whole, fenced(`@@ @@\n${body.join('\n')}`, 'diff')), meant);
    });
    if (add !== undefined) {
      it('an answer with a new import is placed', () => {
        const [line, after] = add;
        const wanted = meant.replace(`${after}\n`, languageId === 'go' ? `${after}\n${line}\n` : `${after}\n${line}\n`);
        const said = languageId === 'go' ? `import ${line.trim()}` : line;
        check(fenced(`${said}\n\n${now}`, info), wanted);
        check(`Add the import at the top:\n${fenced(said, info)}\nThen:\n${fenced(dedented(now), info)}`, wanted);
        check(fenced(`${after.includes('\t') ? `import ${after.trim()}` : after}\n\n${now}`, info));
      });
    }
    if (omitting !== '') {
      it('an answer that omits lines is placed', () => {
        const found = placed(languageId, file, fenced(omitting, info));
        const said = omitting.split('\n').filter((line) => !/\.\.\./.test(line));
        for (const line of said) assert.ok(found.split('\n').includes(line), `${line}\n${found}`);
        const all = new Set(found.split('\n').map((line) => line.trim()));
        const lost = whole.split('\n').filter((line) => !all.has(line.trim()));
        assert.deepEqual(lost, languageId === 'yaml' ? ['          image: payments:1'] : [], found);
      });
    }
  });
}
