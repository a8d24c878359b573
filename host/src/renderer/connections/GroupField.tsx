import { Autocomplete } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConnections } from '../api/queries.ts';
import { groupNames } from './listModel.ts';
import { strings } from '../i18n/index.ts';

interface Props {
  readonly value: string;
  readonly onChange: (group: string) => void;
  readonly help?: boolean;
  /** Whether a dialog starts here. */
  readonly isFirst?: boolean;
}

/** The group of a connection: one of those that there are, or a new one. */
export function GroupField({ value, onChange, help = false, isFirst = false }: Props): ReactNode {
  const names = groupNames(useConnections().data ?? []);
  return (
    <Autocomplete
      size="xs"
      label={strings.connections.group}
      placeholder={strings.connections.groupPlaceholder}
      description={help ? strings.connections.groupHelp : undefined}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={value}
      data={[...names]}
      maxLength={80}
      data-autofocus={isFirst || undefined}
      onChange={onChange}
    />
  );
}
