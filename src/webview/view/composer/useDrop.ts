import { useState } from 'preact/hooks';
import { errorText } from '../../channel.ts';
import { dropKinds, hasImage, urisIn } from '../../composer/dropped.ts';
import { usePanel } from '../../panel.ts';

interface DropControl {
  /** Whether something that can be attached is dragged over the composer. */
  readonly isOver: boolean;
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** Attaches files dropped onto the composer; the host checks whether they are files. */
export function useDrop(setError: (error: string | undefined) => void): DropControl {
  const { channel, strings } = usePanel();
  const [isOver, setOver] = useState(false);
  const isOurs = ({ dataTransfer }: DragEvent): boolean =>
    dropKinds.some((kind) => dataTransfer?.types.includes(kind) === true) || hasImage(dataTransfer);

  return {
    isOver,
    handlers: {
      onDragOver: (event) => {
        if (!isOurs(event)) return;
        event.preventDefault();
        if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      },
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        const isInside = currentTarget instanceof Node && relatedTarget instanceof Node;
        if (!isInside || !currentTarget.contains(relatedTarget)) setOver(false);
      },
      onDrop: (event) => {
        setOver(false);
        if (!isOurs(event)) return;
        event.preventDefault();
        // A dragged image may also contain the address of a web page, which is not a file.
        if (hasImage(event.dataTransfer)) return setError(strings.noImages);
        const uris = urisIn((kind) => event.dataTransfer?.getData(kind) ?? '');
        if (uris.length === 0) return;
        setError(undefined);
        channel.ask('drop', { uris }).catch((error: unknown) => {
          setError(errorText(error));
        });
      },
    },
  };
}
