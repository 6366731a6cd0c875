/** Returns text of another extension or of an MCP server on one line, shortened, and with hidden characters escaped. */
export function foreignText(text: string, maxLength: number): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/\s+/g, ' ')
    .trim();
  return escapeHidden(line.length > maxLength ? `${line.slice(0, maxLength)}…` : line);
}

/** Escapes characters, as in JSON, that could hide or reorder a text that the user decides about. */
export function escapeHidden(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
