import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { useConnections } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { NameDialog } from '../ui/NameDialog.tsx';
import { freeName } from './listModel.ts';

interface Props {
  readonly connection: SavedConnection;
  readonly onDuplicated: (copy: SavedConnection) => Promise<void>;
  readonly onClose: () => void;
}

/** A connection like another one. Its credentials come along only when that is asked for. */
export function DuplicateDialog({ connection, onDuplicated, onClose }: Props): ReactNode {
  const words = strings.connections;
  const saved = useConnections().data ?? [];
  const [withSecrets, setWithSecrets] = useState(false);
  const duplicate = async (name: string): Promise<void> =>
    onDuplicated(await api.connections.duplicate.mutate({ connectionId: connection.id, name, withSecrets }));
  return (
    <NameDialog
      title={words.duplicateTitle(connection.name)}
      label={words.duplicateName}
      initialName={freeName(words.copyOf(connection.name), saved)}
      confirm={words.duplicateConfirm}
      missing={strings.form.nameRequired}
      fieldError="CONNECTION_NAME_TAKEN"
      failed={() => words.duplicateFailed}
      onSubmit={duplicate}
      onClose={onClose}
    >
      {Object.keys(connection.secrets).length === 0 ? undefined : (
        <Checkbox
          size="xs"
          label={words.withSecrets}
          description={words.withSecretsHelp}
          checked={withSecrets}
          onChange={(event) => setWithSecrets(event.currentTarget.checked)}
        />
      )}
    </NameDialog>
  );
}
