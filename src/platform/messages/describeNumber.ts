import * as vscode from 'vscode';

/** Formats a number for VS Code's display language. */
export function describeNumber(value: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(value);
}

/** Formats a size in bytes, kilobytes or megabytes; the latter two are rounded. */
export function describeBytes(bytes: number, maximumFractionDigits = 1): string {
  if (bytes === 1) return vscode.l10n.t('1 byte');
  if (bytes < 1024) return vscode.l10n.t('{0} bytes', describeNumber(bytes));
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kilobyte'] : [bytes / 1024 / 1024, 'megabyte'];
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits } as const;
  return new Intl.NumberFormat(vscode.env.language, options).format(size);
}

/** Formats a size above its limit, and the limit, with enough digits to show the difference. */
export function describeOverLimit({ bytes, limit }: { readonly bytes: number; readonly limit: number }): string {
  const digits = [1, 2, 3, 4, 5].find((count) => describeBytes(bytes, count) !== describeBytes(limit, count)) ?? 6;
  return vscode.l10n.t('{0}; the limit is {1}', describeBytes(bytes, digits), describeBytes(limit, digits));
}
