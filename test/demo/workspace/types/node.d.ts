// The parts of Node that the tests use, so that no package is needed.
declare module 'node:test' {
  export function test(name: string, run: () => void | Promise<void>): void;
}

declare module 'node:assert/strict' {
  const assert: {
    equal(actual: unknown, expected: unknown): void;
    deepEqual(actual: unknown, expected: unknown): void;
  };
  export default assert;
}
