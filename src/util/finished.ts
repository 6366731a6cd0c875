/** Does work to its end that yields where it may pause, without a pause. */
export function finished<T>(work: Generator<null, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
