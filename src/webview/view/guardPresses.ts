/**
 * Lets a key that is held, and the second click of a double click, press only the button of the first press: the user has not read
 * a button that took its place since. Returns a function that ends this.
 */
export function guardPresses(): () => void {
  let pressedOn: EventTarget | null = null;
  let clicked: Element | null = null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.repeat) pressedOn = event.target;
    else if (event.target !== pressedOn && event.target instanceof HTMLButtonElement) event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    // The count of a click by the keyboard is 0.
    if (event.detail <= 1) clicked = button;
    else if (button !== clicked) event.stopPropagation();
  };
  document.addEventListener('keydown', onKeyDown, true);
  document.addEventListener('click', onClick, true);
  return () => {
    document.removeEventListener('keydown', onKeyDown, true);
    document.removeEventListener('click', onClick, true);
  };
}
