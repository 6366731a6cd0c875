import type { LeftOutView } from '../../../protocol/turnView.ts';

/** What the request did not carry, in a line that opens. */
export function LeftOut({ leftOut }: { readonly leftOut: LeftOutView }) {
  // A conversation that was stored has only the numbers.
  if (leftOut.parts.length === 0) {
    return (
      <div class="left-out" data-testid="left-out">
        {leftOut.label}
      </div>
    );
  }
  return (
    <details class="left-out" data-testid="left-out">
      <summary>{leftOut.label}</summary>
      <ul>
        {leftOut.parts.map((part, index) => (
          <li key={index}>{part}</li>
        ))}
      </ul>
    </details>
  );
}
