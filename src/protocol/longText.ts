/** The longest text that the page may send in one call, in UTF-16 units. */
export const maxText = 4_000_000;
