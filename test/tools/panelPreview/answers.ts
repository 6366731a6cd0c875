/** An answer with every element that an answer can contain. */
export const richAnswer = `The handler retries **every** failure, also the ones that *cannot* succeed. Three things to change:

1. Retry only when \`error.isRetryable\` is set.
2. Wait as long as \`Retry-After\` says:
   - a number is seconds;
   - a date is a point in time, see [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
3. ~~Give up after ten attempts.~~ Give up after three.

\`\`\`ts
/** Waits, but not beyond the caller's patience. */
export async function retry<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let count = 0; count < 3; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.isRetryable) throw error;
      await delay(error.retryAfterMs ?? 250 * 2 ** count, signal); // 250, 500, 1000 ms
    }
  }
  throw new Error(\`gave up after \${3} attempts\`);
}
\`\`\`

### What each status means

| Status | Meaning | Retried | Wait |
|:-------|:--------|:-------:|-----:|
| 401 | the key is not accepted | no | - |
| 429 | too many requests | yes | \`Retry-After\` |
| 503 | the service is overloaded for the moment | yes | 250 ms, doubled |

> A retry that nobody asked for is a second invoice.

- [x] retry only what can succeed
- [ ] a test with a fake clock

\`\`\`python
@dataclass(frozen=True)
class Retry:
    after: float = 0.25  # seconds

    def delays(self, attempts: int) -> list[float]:
        return [self.after * 2**n for n in range(attempts) if n is not None]
\`\`\`

---

\`\`\`diff
- await sleep(1000);
+ await delay(error.retryAfterMs, signal);
\`\`\`
`;

const longName = 'AbstractSingletonProxyFactoryBeanConfigurationSupportDelegatingInterceptorRegistry'.repeat(2);

/** Words and addresses wider than any side bar. */
export const longAnswer = `See https://example.com/${'a-very-long-path-segment/'.repeat(6)}end and the class
\`${longName}\`, or the plain word ${longName}.

| Name | Address |
|---|---|
| ${longName} | https://example.com/${'x'.repeat(90)} |

\`\`\`json
{ "path": "${'segment/'.repeat(20)}", "count": 12, "ok": true, "nothing": null }
\`\`\`

![a picture](https://example.com/tracking.png)
`;

/** Formulas in text, lists, quotes and tables, a long one, one that cannot be read, and money. */
export const formulaAnswer = `The error is $\\varepsilon = \\frac{1}{n}\\sum_{i=1}^{n} (x_i - \\bar{x})^2$, so for \\(n = 10\\) and $x^2$ the
$i$th call costs $5, and two of them $10.

$$
\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}
$$

1. The matrix:
   \\[
   A = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}, \\qquad |x| = \\begin{cases} x & x \\ge 0 \\\\ -x & x < 0 \\end{cases}
   \\]
2. \\(\\cancel{ab}\\), \\(\\boxed{E = mc^2}\\), \\(\\overline{xy}\\), $f'(x)$, $\\vec{v} \\cdot \\hat{w}$, $\\lim_{x \\to 0} \\binom{n}{k}$

> \\[ \\mathbb{R} \\ni \\lambda_{\\max} \\leq \\left( \\frac{\\alpha}{1 + \\frac{\\beta}{\\gamma}} \\right)^{2} \\].

| Rate | Formula |
|---|---|
| linear | $r = \\frac{k}{t}$ |
| squared | \\(r^2 = \\log_2 n\\) |

\\[
\\begin{align}
f(x) &= a_0 + a_1 x + a_2 x^2 + a_3 x^3 + a_4 x^4 + a_5 x^5 + a_6 x^6 + a_7 x^7 + a_8 x^8 + a_9 x^9 \\\\
&= \\sum_{i=0}^{9} a_i x^i \\tag{1}
\\end{align}
\\]

Wide in a line: $a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x + y + z$ is one.

This cannot be read: \\(\\unknown{x}\\) and $$\\frac{1$$.
`;

/** Text from right to left, alone and mixed with text from left to right. */
export const bidiAnswer = `### תשובה קצרה

הפונקציה \`retry()\` בקובץ \`src/client/retry.ts\` נקראת 3 פעמים, ראו [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110).

1. פריט ראשון עם \`code\`
2. An item in English
   - פריט פנימי
   - \`npm test\` מריץ את הבדיקות
3. פריט שלישי:

   \`\`\`ts
   await retry(call); // שלום
   \`\`\`

- [x] תם
- [ ] not yet

> اقتباس بالعربية يبدأ من اليمين.

> A quote in English.

| الحالة | المعنى | \`code\` |
|:--|---|--:|
| 429 | طلبات كثيرة | yes |
| 503 | الخدمة مشغولة | no |

Retry says שלום in the middle of a line. הנוסחה $E = mc^2$ נכונה.

אפשר לכתוב:

\\[ x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a} \\]
`;

/** Emphasis without spaces, footnotes, tasks, and a part that could be folded. */
export const worldAnswer = `**注意：**再試行は三回まで。**「重要」**です。这是**加粗。**文字。

The limit is in the standard[^1] and in the code[^code].

- [x] read the header
- [ ] test with a fake clock
  - [ ] and without

<details>
<summary>Why does it wait?</summary>

Because the service says so:

\`\`\`http
Retry-After: 5
\`\`\`

</details>

| Step | What |
|---|---|
| 1 | wait<br>and retry |

[^1]: RFC 9110, section 10.2.3, with a longer sentence so that the note needs a second line in a narrow panel.
[^code]: \`src/client/retry.ts\`

    A second paragraph of the note.
`;
