import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ownValue } from '../../common/ownValue.ts';
import { strings } from '../i18n/index.ts';
import styles from './dialogs.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';
import { StatementText } from './StatementText.tsx';

/** A value to enter. */
export interface ValueField {
  readonly name: string;
  /** The database's name of its type, where the value is one of the database: it may be null then. */
  readonly type?: string;
}

interface Props {
  readonly title: string;
  readonly text: string;
  /** The statement that the values are for; absent: they are for several. */
  readonly statement?: string;
  readonly fields: readonly ValueField[];
  /** The values of the last time. */
  readonly before: Readonly<Record<string, string | null>>;
  readonly onRun: (values: Readonly<Record<string, string | null>>) => void;
  readonly onClose: () => void;
}

/** Values for the variables, or the parameters, of what is about to run. */
export function VariablesDialog({ title, text, statement, fields, before, onRun, onClose }: Props): ReactNode {
  const words = strings.console;
  const [values, setValues] = useState<Readonly<Record<string, string | null>>>(() =>
    Object.fromEntries(
      fields.map(({ name, type }) => [
        name,
        type !== undefined && ownValue(before, name) === null ? null : (ownValue(before, name) ?? ''),
      ]),
    ),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={statement === undefined ? 440 : 560}
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
        <p>{text}</p>
        {statement === undefined ? null : <StatementText text={statement} label={strings.consoleSession.parametersOf} />}
        {fields.map(({ name, type }, place) => (
          <div key={name} className={styles.value}>
            <TextInput
              label={type === undefined ? name : strings.consoleSession.parameter(visibleText(name), visibleText(type))}
              value={ownValue(values, name) ?? ''}
              disabled={ownValue(values, name) === null}
              autoComplete="off"
              data-autofocus={place === 0 || undefined}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
            {type === undefined ? null : (
              <Checkbox
                label={strings.grid.null}
                aria-label={strings.consoleSession.isNull(visibleText(name))}
                checked={ownValue(values, name) === null}
                onChange={(event) => setValues({ ...values, [name]: event.currentTarget.checked ? null : '' })}
              />
            )}
          </div>
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
