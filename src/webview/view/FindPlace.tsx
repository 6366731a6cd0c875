import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';

/** Where the search stands while the user searches; loaded when it is first wanted. */
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
