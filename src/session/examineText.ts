import type { SecretScanner } from './examine.ts';
import type { FoundSecret } from './review.ts';

export interface ExaminedText {
  readonly masked: string;
  readonly found: readonly FoundSecret[];
}

export async function examineText(
  text: string,
  where: string | null,
  firstLine: number,
  scanner: SecretScanner,
): Promise<ExaminedText> {
  let masked = text;
  const found: FoundSecret[] = [];
  // What was masked may have hidden another beside it: again until nothing is found. Lines stay where they are.
  for (let spans = await scanner.scanText(masked); spans.length > 0; spans = await scanner.scanText(masked)) {
    found.push(...spans.map(({ rule, line }) => ({ rule, where, line: firstLine + line - 1 })));
    masked = scanner.maskText(masked, spans);
  }
  return { masked, found };
}
