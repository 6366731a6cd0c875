import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';

/** The place of the search box; its code is loaded on the first search. */
export function FindPlace() {
  const { state } = usePanel();
  const [Find, setFind] = useState<FunctionComponent>();
  const isOpen = state.finding.value > 0;
  useEffect(() => {
    if (isOpen)
      import('./Find.tsx').then(
        (loaded) => setFind(() => loaded.Find),
        () => undefined,
      );
  }, [isOpen]);
  return isOpen && Find !== undefined ? <Find /> : null;
}
