let isListening = false;

/**
 * From now on, copies the formulas of a selection as their source, within their line. A drawn formula cannot be selected, but the
 * browser would copy a line break for it, and omit the space after it at the end of a line.
 */
export function copyFormulas(): void {
  if (isListening) return;
  isListening = true;
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    const formulas = [...document.querySelectorAll('.math.typeset')];
    if (selection === null || event.clipboardData === null) return;
    if (!formulas.some((formula) => selection.containsNode(formula, true))) return;
    document.body.classList.add('copying');
    event.clipboardData.setData('text/plain', selection.toString());
    document.body.classList.remove('copying');
    event.preventDefault();
  });
}
