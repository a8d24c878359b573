import { ActionIcon, Button, Select } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { SearchForm, TableRef } from '@tabularium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { ConfirmRemoval } from '../ui/ConfirmRemoval.tsx';
import { NameDialog } from '../ui/NameDialog.tsx';
import { copyOfTable, rereadQuerySets, useSearchConfigurations } from './querySetQueries.ts';
import styles from './search.module.css';
import { chosenOptions } from './searchSettings.ts';
import type { OptionSet } from './searchSettings.ts';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly form: SearchForm;
  readonly settings: OptionSet;
  readonly onChange: (set: OptionSet) => void;
}

/** Saved configurations of a search: takes one up, saves the fields and options as they are. */
export function ConfigurationBar({ connectionId, table, form, settings, onChange }: Props): ReactNode {
  const words = strings.relevance;
  const client = useQueryClient();
  const saved = useSearchConfigurations(connectionId, table).data ?? [];
  const [isNaming, setNaming] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const options = chosenOptions(form, settings);
  const same = (one: OptionSet): boolean =>
    JSON.stringify(one.fields ?? null) === JSON.stringify(settings.fields ?? null) &&
    Object.keys(one.options).length === Object.keys(options).length &&
    Object.entries(one.options).every(([id, value]) => options[id] === value);
  const chosen = saved.find(({ fields, options: its }) =>
    same({ options: its, ...(fields === undefined ? {} : { fields: [...fields] }) }),
  );
  return (
    <div className={styles.configuration} role="group" aria-label={words.configuration}>
      <Select
        size="xs"
        aria-label={words.configuration}
        placeholder={saved.length === 0 ? words.noConfiguration : words.configuration}
        disabled={saved.length === 0}
        value={chosen?.id ?? null}
        allowDeselect={false}
        data={saved.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => {
          const found = saved.find((one) => one.id === id);
          if (found !== undefined) {
            onChange({ options: { ...found.options }, fields: found.fields === undefined ? undefined : [...found.fields] });
          }
        }}
      />
      <Button size="compact-xs" variant="subtle" onClick={() => setNaming(true)}>
        {words.saveConfiguration}
      </Button>
      {chosen === undefined ? null : (
        <ActionIcon
          size={22}
          aria-label={words.removeConfiguration(chosen.name)}
          title={words.removeConfiguration(chosen.name)}
          onClick={() => setRemoving(true)}
        >
          <IconTrash size={14} stroke={1.75} />
        </ActionIcon>
      )}
      {isNaming ? (
        <NameDialog
          title={words.saveConfigurationTitle}
          label={words.name}
          description={words.saveConfigurationHelp}
          initialName={chosen?.name ?? ''}
          confirm={words.save}
          missing={words.nameMissing}
          failed={words.saveFailed}
          onSubmit={async (name) => {
            const { fields } = settings;
            await api.relevance.configurations.save.mutate({
              ...{ connectionId, table: copyOfTable(table), name, options },
              ...(fields === undefined ? {} : { fields }),
            });
            await rereadQuerySets(client);
            notify({ tone: 'plain', text: words.savedConfiguration(name) });
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      ) : null}
      {isRemoving && chosen !== undefined ? (
        <ConfirmRemoval
          title={words.removeConfigurationTitle(chosen.name)}
          text={words.removeConfigurationText}
          confirm={words.removeConfirm(chosen.name)}
          onConfirm={async () => {
            await api.relevance.configurations.remove.mutate({ id: chosen.id });
            await rereadQuerySets(client);
          }}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </div>
  );
}
