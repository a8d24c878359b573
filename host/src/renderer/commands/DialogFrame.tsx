import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import styles from './commands.module.css';

interface Props {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A layer over the window, drawn by the platform: its first field gets the focus, which stays inside, and goes back to where it was. */
export function DialogFrame({ label, onClose, children }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: only then does the platform give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={label}
      aria-modal
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => (event.target === dialog.current ? onClose() : undefined)}
    >
      {children}
    </dialog>
  );
}
