/** A card as the till sends it. */
export interface Card {
  readonly number: string;
  readonly holder: string;
  /** MM/YY */
  readonly expires: string;
}

/** Keeps the last four digits, as PCI DSS asks where a number is shown. */
export function mask(number: string): string {
  const digits = number.replace(/\D/g, '');
  return digits.slice(-4).padStart(digits.length, '•');
}

export function isExpired(card: Card, today: Date): boolean {
  const [month, year] = card.expires.split('/').map(Number);
  if (month === undefined || year === undefined) return true;
  const end = new Date(2000 + year, month, 0, 23, 59, 59);
  return end < today;
}

// a function luhn that checks a card number with the Luhn algorithm
