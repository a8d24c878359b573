import { ActionIcon, Checkbox, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './filter.module.css';
import type { FilterDraft, FilterSelection } from './filterModel.ts';

type Raw = NonNullable<FilterDraft['raw']>;

interface Props {
  readonly raw: Raw;
  readonly about: NonNullable<FilterSelection['raw']>;
  /** The driver's fault of it. */
  readonly refusal: string | undefined;
  readonly onChange: (raw: Raw) => void;
  /** Reloads with it. */
  readonly onApply: (raw: Raw) => void;
  readonly onRemove: () => void;
}

/** A condition in the database's own language. */
export function RawRow({ raw, about, refusal, onChange, onApply, onRemove }: Props): ReactNode {
  const words = strings.filter;
  return (
    <div className={styles.row} data-off={!raw.enabled || undefined}>
      <Checkbox
        size="xs"
        aria-label={words.rawEnabled}
        checked={raw.enabled}
        onChange={(event) => onApply({ ...raw, enabled: event.currentTarget.checked })}
      />
      <span className={styles.rawLabel} title={about.help}>
        {about.label}
      </span>
      <span className={styles.values}>
        <TextInput
          className={styles.rawValue}
          aria-label={about.label}
          data-filter-value
          placeholder={about.placeholder}
          title={about.help}
          aria-description={about.help}
          value={raw.text}
          error={refusal !== undefined}
          onChange={(event) => onChange({ ...raw, text: event.currentTarget.value })}
          onKeyDown={(event) => (event.key === 'Enter' ? onApply(raw) : undefined)}
        />
        {refusal === undefined ? null : (
          <span className={styles.fieldError} role="alert" title={refusal}>
            {refusal}
          </span>
        )}
      </span>
      <ActionIcon size={24} aria-label={words.removeRaw} title={words.removeRaw} onClick={onRemove}>
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}
