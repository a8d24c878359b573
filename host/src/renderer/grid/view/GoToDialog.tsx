import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { searchableList } from '../../ui/searchableList.ts';

interface Props {
  readonly rowCount: number;
  readonly columns: readonly GridColumn[];
  /** The active cell: the first content of the fields. */
  readonly row: number;
  readonly column: string | undefined;
  /** The row counted from 0. */
  readonly onGo: (row: number, column: string | undefined) => void;
  readonly onClose: () => void;
}

/** Goes to a row by its number and to a column by its name. */
export function GoToDialog({ rowCount, columns, row, column, onGo, onClose }: Props): ReactNode {
  const words = strings.find;
  const [text, setText] = useState(String(row + 1));
  const [chosen, setChosen] = useState<string | null>(column ?? null);
  const [tried, setTried] = useState(false);
  // People paste numbers as they are shown, with separators of thousands.
  const digits = text.replaceAll(/[\s.,'’_]/g, '');
  const number = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
  const isValid = number >= 1 && number <= rowCount;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isValid) return;
    onGo(number - 1, chosen ?? undefined);
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.goToTitle}
      size={360}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={12}>
          <TextInput
            label={words.row}
            description={words.rowHelp(rowCount)}
            inputMode="numeric"
            data-autofocus
            value={text}
            error={tried && !isValid ? words.badRow(rowCount) : undefined}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Select
            label={words.column}
            data={columns.map(({ name }) => name)}
            value={chosen}
            onChange={setChosen}
            {...searchableList}
            clearable
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {strings.common.cancel}
            </Button>
            <Button type="submit">{words.go}</Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}
