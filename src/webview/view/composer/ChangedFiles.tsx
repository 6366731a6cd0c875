import { useState } from 'preact/hooks';
import type { ChangedFileView, ChangesView } from '../../../protocol/changesView.ts';
import { usePanel } from '../../panel.ts';
import { ChangedFile } from './ChangedFile.tsx';

/**
 * The files with proposed changes. Tab stops only at the buttons of one file, so that it passes a long list quickly; the arrow keys go
 * to the same button of the file above or below.
 */
export function ChangedFiles({ files, canDecide }: Pick<ChangesView, 'files' | 'canDecide'>) {
  const { strings } = usePanel();
  const [entered, setEntered] = useState<string>();
  const stop = files.find(({ id }) => id === entered) ?? files.find(isOpen) ?? files[0];
  return (
    <ul aria-label={strings.changes} onKeyDown={goToFile}>
      {files.map((file) => (
        <ChangedFile
          key={file.id}
          file={file}
          canDecide={canDecide}
          isStop={file === stop}
          onEnter={() => setEntered(file.id)}
        />
      ))}
    </ul>
  );
}

function isOpen({ state }: ChangedFileView): boolean {
  return state === 'proposed' || state === 'stale';
}

function goToFile(event: KeyboardEvent): void {
  const { target, key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLElement) || shiftKey || altKey || ctrlKey || metaKey) return;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  event.preventDefault();
  const item = target.closest('li');
  const next = key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling;
  const buttons = [...(next?.querySelectorAll('button') ?? [])];
  (buttons.find(({ dataset }) => dataset.testid === target.dataset.testid) ?? buttons[0])?.focus();
}
