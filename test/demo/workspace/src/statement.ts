import { type Card, mask } from './card.ts';

export interface Purchase {
  readonly shop: string;
  readonly cents: number;
}

/** A line of a statement: the masked card, the shop, and the amount. */
export function statementLine(card: Card, purchase: Purchase): string {
  const amount = (purchase.cents / 100).toFixed(2);
  return `${mask(card.numbr)}  ${purchase.shop}  ${amount}`;
}
