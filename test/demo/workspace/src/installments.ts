/** Divides an amount into equal monthly installments, in cents. */
export function installments(cents: number, count: number): number[] {
  if (!Number.isInteger(count) || count < 1) throw new RangeError('There is at least one installment.');
  return Array.from({ length: count }, () => Math.round(cents / count));
}

/** When each installment is due: on the same day of the following months. */
export function dueDates(first: Date, count: number): Date[] {
  return Array.from({ length: count }, (_, month) => {
    const due = new Date(first);
    due.setMonth(first.getMonth() + month);
    return due;
  });
}
