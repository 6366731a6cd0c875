/** The distance in pixels outside the viewport that is treated as near: more than a user scrolls in a frame. */
const near: IntersectionObserverInit & { readonly scrollMargin: string } = {
  rootMargin: '600px',
  scrollMargin: '600px',
};

const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Resolves when an element comes near the viewport. The promise stays pending if the element never does. */
export function nearSight(element: Element): Promise<void> {
  observer ??= new IntersectionObserver((entries, self) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      self.unobserve(target);
      waiting.get(target)?.();
    }
  }, near);
  observer.observe(element);
  return new Promise((resolve) => {
    waiting.set(element, resolve);
  });
}
