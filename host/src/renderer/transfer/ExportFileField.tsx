import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ExportFormat } from '../../common/transfer.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import styles from './transfer.module.css';
import { canChooseFile, chooseFile } from './windowSave.ts';
import type { PickedFile } from './windowSave.ts';

interface Props {
  readonly format: ExportFormat;
  /** The path, as suggested or typed. */
  readonly path: string;
  readonly error: string | undefined;
  /** A file from the browser's dialog. It is used in place of the path. */
  readonly chosen: PickedFile | undefined;
  readonly onPath: (path: string) => void;
  readonly onFocus: (isFocused: boolean) => void;
  readonly onChosen: (file: PickedFile | undefined) => void;
  /** The browser's dialog has opened, or was answered. */
  readonly onChoosing: (isChoosing: boolean) => void;
}

/** Where the export goes: a path of the host's computer, or a file from the browser's own dialog, where it has one. */
export function ExportFileField({ format, path, error, chosen, onPath, onFocus, onChosen, onChoosing }: Props): ReactNode {
  const words = strings.transfer;
  const [refusal, setRefusal] = useState<string>();
  const choose = async (): Promise<void> => {
    setRefusal(undefined);
    onChoosing(true);
    try {
      const name = path.split(/[\\/]/).at(-1) ?? '';
      const file = await chooseFile(name === '' ? `export.${format}` : name, format, words.formats[format]);
      if (file !== undefined) onChosen(file);
    } catch (failure) {
      setRefusal(`${words.chooseFailed}: ${problemOf(failure).message}`);
    } finally {
      onChoosing(false);
    }
  };
  const chooseButton = canChooseFile() ? (
    <Button variant="default" onClick={() => void choose()}>
      {words.choose}
    </Button>
  ) : null;
  if (chosen !== undefined) {
    return (
      <div role="group" aria-label={words.file}>
        <span className={styles.label}>{words.file}</span>
        <p className={styles.chosen}>{words.chosen(chosen.name)}</p>
        <p className={styles.chosenHelp}>{words.chosenHelp}</p>
        <Group gap={8} mt={6}>
          {chooseButton}
          <Button variant="subtle" onClick={() => onChosen(undefined)}>
            {words.typePath}
          </Button>
        </Group>
      </div>
    );
  }
  return (
    <TextInput
      label={words.file}
      description={words.fileHelp}
      value={path}
      onFocus={() => onFocus(true)}
      onBlur={() => onFocus(false)}
      error={error ?? refusal}
      onChange={(event) => onPath(event.currentTarget.value)}
      inputContainer={(input) => (
        <div className={styles.fileInput}>
          {input}
          {chooseButton}
        </div>
      )}
    />
  );
}
