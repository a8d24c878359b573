import type { TableRef } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { useNamedTables, useOpenNamed } from '../api/namedTables.ts';
import { strings } from '../i18n/index.ts';
import { NameDialog } from '../ui/NameDialog.tsx';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly onOpen: (table: TableRef) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a table that is not listed. A name that the credentials do not reach stays in the field, with the reason. */
export function OpenByNameDialog({ connection, onOpen, onClose }: Props): ReactNode {
  const words = strings.sidebar;
  const { table: term } = connection.manifest.terms;
  const reason = useNamedTables(connection).data?.reason;
  const open = useOpenNamed(connection.connectionId);
  const openNamed = async (name: string): Promise<void> => {
    const { ref } = await open.mutateAsync(name);
    onClose();
    onOpen(ref);
  };
  return (
    <NameDialog
      title={words.openByNameTitle(term)}
      label={words.nameOf(term)}
      description={reason}
      maxLength={1_000}
      confirm={words.open}
      missing={words.nameMissing(term)}
      failed={words.notOpened}
      onSubmit={openNamed}
      onClose={onClose}
    />
  );
}
