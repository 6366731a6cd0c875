import type { Snippet } from './generate.ts';

export const texts: readonly Snippet[] = [
  {
    asked: /\bpalindrome\b/i,
    ts: `
/** Whether the letters and digits of a text read the same both ways. */
export function isPalindrome(text«: string»)«: boolean» {
  const letters = [...text.toLowerCase().replace(/[^\\p{L}\\p{N}]/gu, '')];
  return letters.join('') === letters.reverse().join('');
}`,
    py: `
def is_palindrome(text):
    """Whether the letters and digits of a text read the same both ways."""
    letters = [letter for letter in text.lower() if letter.isalnum()]
    return letters == letters[::-1]`,
  },
  {
    asked: /\brevers\w*\b(?=.*\b(string|text|word)\b)|\breverse_?string\b/i,
    ts: `
/** The text backwards, by code points. */
export function reverseString(text«: string»)«: string» {
  return [...text].reverse().join('');
}`,
    py: `
def reverse_string(text):
    """The text backwards."""
    return text[::-1]`,
  },
  {
    asked: /\bslug(ify)?\b/i,
    ts: `
/** A text as part of an address: lower case, without accents, words joined by hyphens. */
export function slugify(text«: string»)«: string» {
  const plain = text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}`,
    py: `
import re
import unicodedata


def slugify(text):
    """A text as part of an address: lower case, without accents, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")`,
  },
  {
    asked: /\b(validat\w*|check\w*|is_?valid)\b.*\be-?mail\b|\bis_?(valid_?)?e-?mail\b|\bvalidate_?e?mail\b/i,
    ts: `
/** Whether a text has the form of an email address; only sending to it shows that it exists. */
export function isEmail(text«: string»)«: boolean» {
  return text.length <= 254 && /^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$/.test(text);
}`,
    py: `
import re


def is_email(text):
    """Whether a text has the form of an email address; only sending to it shows that it exists."""
    return len(text) <= 254 and re.fullmatch(r"[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+", text) is not None`,
  },
  {
    asked: /\bluhn\b|\b(validat\w*|check\w*)\b.*\b(credit )?card number\b/i,
    ts: `
/** Whether the check digit of a card number is right (Luhn). Blanks and hyphens are ignored. */
export function passesLuhn(number«: string»)«: boolean» {
  const digits = [...number.replace(/[ -]/g, '')].reverse();
  if (digits.length === 0 || digits.some((digit) => digit < '0' || digit > '9')) return false;
  let sum = 0;
  for (const [index, digit] of digits.entries()) {
    const weighed = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}`,
    py: `
def passes_luhn(number):
    """Whether the check digit of a card number is right (Luhn). Blanks and hyphens do not count."""
    digits = number.replace(" ", "").replace("-", "")
    if not digits.isdecimal():
        return False
    total = 0
    for index, digit in enumerate(reversed(digits)):
        weighed = int(digit) * (1 if index % 2 == 0 else 2)
        total += weighed - 9 if weighed > 9 else weighed
    return total % 10 == 0`,
  },
];
