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
