import { NativeSelect } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import type { NewTableNamespace } from './useNewTableNamespace.ts';

interface Props {
  readonly place: NewTableNamespace;
  /** After another one was chosen. */
  readonly onChange: () => void;
}

/** The namespace of a new table, where tables are in one. */
export function NamespaceSelect({ place: { namespaces = [], others, chosen, choose }, onChange }: Props): ReactNode {
  if (namespaces.length === 0 && others.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      label={strings.importing.namespace}
      value={JSON.stringify(chosen)}
      onChange={(event) => {
        const found = [...namespaces, ...others].find((one) => JSON.stringify(one) === event.currentTarget.value);
        if (found !== undefined) choose(found);
        onChange();
      }}
      data={[
        ...namespaces.map((one) => ({ value: JSON.stringify(one), label: visibleText(one.join('.'), 'name', 200) })),
        ...others.map((one) => ({
          value: JSON.stringify(one),
          label: strings.importing.otherNamespace(visibleText(one.join('.'), 'name', 200)),
        })),
      ]}
    />
  );
}
