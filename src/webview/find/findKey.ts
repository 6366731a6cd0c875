type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether a key is Ctrl+F, or Cmd+F on macOS, where Ctrl+F moves the cursor; also on a keyboard without Latin letters. */
export function isFindKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Key, isMac: boolean): boolean {
  const isF = key.toLowerCase() === 'f' || (code === 'KeyF' && !/^[a-z]$/i.test(key));
  return isF && !altKey && !shiftKey && metaKey === isMac && ctrlKey === !isMac;
}
