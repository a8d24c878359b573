import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ownValue } from '../../common/ownValue.ts';
import { strings } from '../i18n/index.ts';
import styles from './dialogs.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly names: readonly string[];
  /** The values of the last time. */
  readonly before: Readonly<Record<string, string>>;
  readonly onRun: (values: Readonly<Record<string, string>>) => void;
  readonly onClose: () => void;
}

/** Values for the variables of the statements that are about to run. */
export function VariablesDialog({ names, before, onRun, onClose }: Props): ReactNode {
  const words = strings.console;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(names.map((name) => [name, ownValue(before, name) ?? ''])),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.variablesTitle}
      size={440}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onRun(values);
        }}
      >
        <p>{words.variablesText}</p>
        {names.map((name, place) => (
          <TextInput
            key={name}
            label={name}
            value={ownValue(values, name) ?? ''}
            autoComplete="off"
            data-autofocus={place === 0 || undefined}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit">{words.useVariables}</Button>
        </DialogActions>
      </form>
    </Modal>
  );
}
