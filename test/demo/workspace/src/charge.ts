import type { Card } from './card.ts';

/** Sends a charge to the acquirer. It is here to be reviewed: Svc: Review File for Compliance. */
export async function charge(card: Card, cents: number): Promise<void> {
  const answer = await fetch('http://acquirer.example.com/charge', {
    method: 'POST',
    body: JSON.stringify({ card, cents }),
  });
  if (!answer.ok) console.error(`The charge of ${card.number} failed.`);
}
