import type { LeftOutView } from '../../../protocol/turnView.ts';

/** The parts that the request left out: one line, which can be expanded. */
export function LeftOut({ leftOut }: { readonly leftOut: LeftOutView }) {
  // A stored conversation contains only the numbers.
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
      <ul tabIndex={0} aria-label={leftOut.label}>
        {leftOut.parts.map((part, index) => (
          <li key={index}>{part}</li>
        ))}
      </ul>
    </details>
  );
}
