/** During composition, a key belongs to the input method (Safari reports 229). */
export function isForInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
