import { Radio, Stack } from '@mantine/core';
import type { ImportForm } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { inDriverWords } from '../api/driverTexts.ts';
import { strings } from '../i18n/index.ts';
import styles from './importing.module.css';

interface Props {
  /** Of the driver that has the modes. */
  readonly connectionId: string;
  readonly form: ImportForm;
  /** The id of the chosen mode; undefined: the first. */
  readonly mode: string | undefined;
  readonly onMode: (mode: string) => void;
}

/** The modes of an import, and the request of the chosen one. */
export function ImportModes({ connectionId, form, mode, onMode }: Props): ReactNode {
  const words = strings.importing;
  const modes = form.modes.map((one) => inDriverWords(connectionId, one));
  const chosen = modes.find(({ id }) => id === mode) ?? modes[0];
  return (
    <>
      <Radio.Group label={words.mode} value={chosen?.id ?? ''} onChange={onMode}>
        <Stack gap={6} mt={4}>
          {modes.map((one) => (
            <Radio key={one.id} size="xs" value={one.id} label={one.label} description={one.help} />
          ))}
        </Stack>
      </Radio.Group>
      {chosen === undefined ? null : (
        <div>
          <span className={styles.label}>{words.request}</span>
          <pre className={styles.request}>{chosen.text}</pre>
        </div>
      )}
    </>
  );
}
