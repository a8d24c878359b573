import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { strings } from '../i18n/index.ts';
import { NameDialog } from '../ui/NameDialog.tsx';

interface Props {
  readonly connection: SavedConnection;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** Gives a connection another name. It stays open. */
export function RenameDialog({ connection, onChanged, onClose }: Props): ReactNode {
  const words = strings.connections;
  const rename = async (name: string): Promise<void> => {
    await api.connections.rename.mutate({ connectionId: connection.id, name });
    await onChanged();
    onClose();
  };
  return (
    <NameDialog
      title={words.renameTitle(connection.name)}
      label={words.renameName}
      initialName={connection.name}
      confirm={words.renameConfirm}
      missing={strings.form.nameRequired}
      fieldError="CONNECTION_NAME_TAKEN"
      failed={() => words.renameFailed}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}
