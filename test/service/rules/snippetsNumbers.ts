import type { Snippet } from './generate.ts';

export const numbers: readonly Snippet[] = [
  {
    asked: /\badd(s|ing)?\b(?! an? (audit|test|comment))(?=.*\b(numbers?|two|function|integers?|a and b)\b)|\badd\(/i,
    ts: `
/** The sum of two numbers. */
export function add(a«: number», b«: number»)«: number» {
  return a + b;
}`,
    py: `
def add(a, b):
    """The sum of two numbers."""
    return a + b`,
  },
  {
    asked: /\bfactorial\b/i,
    ts: `
/** n! for a whole number n of 0 or more; throws a RangeError for anything else. */
export function factorial(n«: number»)«: number» {
  if (!Number.isInteger(n) || n < 0) throw new RangeError('n must be a whole number of 0 or more.');
  let product = 1;
  for (let factor = 2; factor <= n; factor += 1) product *= factor;
  return product;
}`,
    py: `
def factorial(n):
    """n! for a whole number n of 0 or more; raises ValueError for anything else."""
    if not isinstance(n, int) or n < 0:
        raise ValueError("n must be a whole number of 0 or more.")
    product = 1
    for factor in range(2, n + 1):
        product *= factor
    return product`,
  },
  {
    asked: /\bfibonacci\b/i,
    ts: `
/** The nth Fibonacci number: 0, 1, 1, 2, 3, 5, ... from n = 0. */
export function fibonacci(n«: number»)«: number» {
  let [current, next] = [0, 1];
  for (let step = 0; step < n; step += 1) [current, next] = [next, current + next];
  return current;
}`,
    py: `
def fibonacci(n):
    """The nth Fibonacci number: 0, 1, 1, 2, 3, 5, ... from n = 0."""
    current, following = 0, 1
    for _ in range(n):
        current, following = following, current + following
    return current`,
  },
  {
    asked: /\bis_?prime\b|\bprime( numbers?)?\b/i,
    ts: `
/** Whether n is a prime number. */
export function isPrime(n«: number»)«: boolean» {
  if (!Number.isInteger(n) || n < 2) return false;
  for (let divisor = 2; divisor * divisor <= n; divisor += 1) if (n % divisor === 0) return false;
  return true;
}`,
    py: `
def is_prime(n):
    """Whether n is a prime number."""
    if n < 2:
        return False
    return all(n % divisor for divisor in range(2, int(n**0.5) + 1))`,
  },
  {
    asked: /\bgcd\b|\bgreatest common divisor\b/i,
    ts: `
/** The greatest common divisor, by Euclid. */
export function gcd(a«: number», b«: number»)«: number» {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}`,
    py: `
def gcd(a, b):
    """The greatest common divisor, by Euclid."""
    while b:
        a, b = b, a % b
    return abs(a)`,
  },
  {
    asked: /\bclamp\b/i,
    ts: `
/** The value, moved into the range from low to high. */
export function clamp(value«: number», low«: number», high«: number»)«: number» {
  return Math.min(Math.max(value, low), high);
}`,
    py: `
def clamp(value, low, high):
    """The value, moved into the range from low to high."""
    return min(max(value, low), high)`,
  },
];
