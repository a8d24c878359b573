import { Button } from '@mantine/core';
import type { Cell } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { editFaultIn } from '../editing/editFault.ts';
import { valueOf } from '../editing/editValue.ts';
import { useTypedText } from '../editing/useTypedText.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import styles from './inspector.module.css';

interface Props {
  readonly column: GridColumn;
  readonly text: string;
  /** Whether the text is another one than at the beginning. */
  readonly isTyped: boolean;
  readonly onText: (text: string) => void;
  /** @returns whether the value is staged */
  readonly onSet: (value: Cell) => Promise<boolean>;
  readonly onStaged: () => void;
  readonly onCancel: () => void;
}

/** One whole value as a text to edit. */
export function ValueEditor({ column, text, isTyped, onText, onSet, onStaged, onCancel }: Props): ReactNode {
  const words = strings.inspector;
  useTypedText(isTyped);
  const [fault, setFault] = useState<string>();
  const stage = async (): Promise<void> => {
    const edited = valueOf(text, column);
    if (!edited.ok) setFault(editFaultIn(edited.fault, text, column));
    else if (await onSet(edited.value)) onStaged();
  };
  return (
    <>
      <textarea
        className={styles.editor}
        aria-label={strings.editing.editOf(column.name)}
        aria-invalid={fault !== undefined}
        spellCheck={false}
        autoFocus
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void stage();
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onCancel();
        }}
      />
      {fault === undefined ? null : (
        <p className={styles.reason} role="alert" data-fault>
          {fault}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button onClick={() => void stage()}>{words.stage}</Button>
      </div>
    </>
  );
}
