let observer: ResizeObserver | undefined;

/** Lets the keyboard reach a part that scrolls sideways, while its content is wider than it. */
export function reachIfWide(part: HTMLElement): void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    }
  });
  observer.observe(part);
}
