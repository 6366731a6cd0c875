import { wrong } from './fileValues.ts';

/** The maximum size of the organization's instructions, in bytes. */
export const maxInstructionsBytes = 8 * 1024;

export function instructionsIn(value: unknown, where: string): string {
  if (typeof value === 'string' && areInstructions(value)) return value;
  throw wrong(where, value, { kind: 'instructions' });
}

/** Whether a text can be the organization's instructions. */
export function areInstructions(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0') && utf8Bytes(text) <= maxInstructionsBytes;
}

/**
 * The pattern for the name of a file in the folder of the policy. The ending keeps the policy itself, which may hold the token of
 * a collector, out of every request.
 */
const fileName = /^\w[\w.-]{0,95}\.(?:md|txt)$/;

export function instructionsFileIn(value: unknown, where: string): string {
  if (typeof value === 'string' && fileName.test(value)) return value;
  throw wrong(where, value, { kind: 'instructionsFile' });
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
