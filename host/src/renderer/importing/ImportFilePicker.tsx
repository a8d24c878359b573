import { Button, FileButton, Progress } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './importing.module.css';

interface Props {
  readonly name: string | undefined;
  /** 0 to 1 while it is sent. */
  readonly sent: number | undefined;
  readonly onFile: (file: File) => void;
}

/** A file by a dialog, by a drop or from the clipboard. */
export function ImportFilePicker({ name, sent, onFile }: Props): ReactNode {
  const words = strings.importing;
  const [isOver, setOver] = useState(false);
  const reset = useRef<() => void>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  const paste = (event: ClipboardEvent): void => {
    const [file] = event.clipboardData.files;
    const text = event.clipboardData.getData('text/plain');
    if (file === undefined && text === '') return;
    event.preventDefault();
    onFile(file ?? new File([text], words.pasted));
  };
  return (
    <div
      className={styles.picker}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={paste}
    >
      <FileButton
        resetRef={reset}
        onChange={(file) => {
          if (file === null) return;
          onFile(file);
          reset.current?.();
        }}
      >
        {(props) => (
          <Button {...props} variant="default" data-autofocus>
            {words.choose}
          </Button>
        )}
      </FileButton>
      <span className={styles.pickerText}>{name ?? words.drop}</span>
      {sent === undefined ? null : (
        <Progress className={styles.sent ?? ''} value={100 * sent} aria-label={words.sending(name ?? '')} />
      )}
    </div>
  );
}
