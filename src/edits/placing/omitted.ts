/** The line that stands for omitted lines while an answer is merged. */
export const omitted = '__svc_omitted__;';

export function isOmitted(line: string): boolean {
  return line.trim().replace(/,$/, '') === omitted;
}
