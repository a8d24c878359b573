import type { TableRef } from '@tabularium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { strings } from '../i18n/index.ts';
import { NameDialog } from '../ui/NameDialog.tsx';
import { copyOfTable, rereadQuerySets } from './querySetQueries.ts';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly onCreated: (id: string, name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new query set. */
export function NewQuerySetDialog({ connectionId, table, onCreated, onClose }: Props): ReactNode {
  const words = strings.relevance;
  const client = useQueryClient();
  return (
    <NameDialog
      title={words.newTitle}
      label={words.name}
      confirm={words.create}
      missing={words.nameMissing}
      fieldError="INVALID_REQUEST"
      failed={words.createFailed}
      onSubmit={async (name) => {
        const { id } = await api.relevance.sets.create.mutate({ connectionId, table: copyOfTable(table), name });
        await rereadQuerySets(client);
        onCreated(id, name);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
