/** Typical answers of models, and corner cases of the grammar where a stream can be split. */
export const samples = {
  conversation: `Here is the plan.

1. Check the **input**.
2. Call the service:

   \`\`\`ts
   await pay(amount);
   \`\`\`

3. Done.

## Code

\`\`\`python
def pay(amount):
    return amount * 2

print(pay(21))
\`\`\`

| name | value |
|------|------:|
| a    | 1     |
| b    | 2     |

> A quote
with a lazy line

- [x] one
- [ ] two

Last words with \`code\`, ~~gone~~ and https://example.com/path.
`,
  'open fence': 'Text\n```js\nlet a = 1;\n\n\nlet b',
  'fence with a shorter one inside': '````md\n```js\nx\n```\n````\nafter\n```',
  'indented fence': '  ```js\n    a\n  b\n c\n  ```\nafter',
  'fence after a list': '- a\n- b\n```\ncode\n```\n- c',
  'tilde fence closed at the end': '~~~\na\n~~~',
  'setext heading': 'Title\nsecond line\n---\nText\n===\n',
  'table after text': 'Some text\n| a | b |\n|---|---|\n| 1 | 2 |\nend\n',
  'loose list': '- a\n\n- b\n\n  more\n\n\n- c\n\nend',
  'indented code': 'para\n\n    code\n\n    more\n\n\nend',
  'definitions first': '[a]: /x "t"\n\n[a] and [b]\n\n[b]:\n/y\n',
  'a definition with its title on the next line': '[a]: /x\n"the\ntitle"\n\n[a]\n',
  'a definition in a quote': '[a]\n\n> [a]: /x\n\nend',
  'hash that becomes text': 'para\n#no heading\n# heading\n',
  'carriage returns': 'a\r\n\r\nb\rc\r\n```\r\nx\r\n```\r\n',
  'lone carriage return at the end': 'a\r',
  'blank lines only': '\n \n\t\n',
  'delimiters that are no table after all': 'text\n|---|:-:|\n|---|:-:|[a]\n',
  'formulas in text, lists, quotes and tables': `Euler's $e^{i\\pi} + 1 = 0$ costs $5 and $10.

\\[
a
+ b
= \\frac{c}{d}
\\]

- one \\(x\\):
  $$
  x - y
  $$
- two

> \\[ q^2 \\].

| a | b |
|---|---|
| $x_1$ | \\(y\\) |
`,
  'a formula without an end': 'Text\n\\[\n\\frac{a}{b}\n- c\n\nmore \\(x^2\n\n$$\n\\alpha',
  'footnotes, tasks and details': `One[^1] and two[^b].

[^1]: A note.

    - with a list
[^b]: Another

<details>
<summary>More **of it**</summary>

- [x] done
- [ ] not done

</details>
`,
  'emphasis in Chinese and Japanese': '**注意：**内容、**「重要」**です。',
  'text from right to left': 'שלום `code` world\n\n- فقرة\n- item\n\n> اقتباس\n',
  'a null character': '```\na\0b\n```\n',
  nothing: '',
} as const;
