import * as vscode from 'vscode';

/** A number in the format of VS Code's display language. */
export function describeNumber(value: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(value);
}

/** A size; larger sizes are rounded. */
export function describeBytes(bytes: number): string {
  if (bytes < 1024) return vscode.l10n.t('{0} bytes', bytes);
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kilobyte'] : [bytes / 1024 / 1024, 'megabyte'];
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(vscode.env.language, options).format(size);
}
