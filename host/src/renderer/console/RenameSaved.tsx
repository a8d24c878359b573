import type { ReactNode } from 'react';
import type { SavedRequest } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { strings } from '../i18n/index.ts';
import { NameDialog } from '../ui/NameDialog.tsx';

interface Props {
  readonly request: SavedRequest;
  /** Those that it must not be taken for. */
  readonly all: readonly SavedRequest[];
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

/** Gives a saved request another name, in the place where it is. */
export function RenameSaved({ request, all, onRenamed, onClose }: Props): ReactNode {
  const words = strings.console;
  const { id, connectionId, text } = request;
  const isTaken = (name: string): boolean =>
    all.some((other) => other.id !== id && other.name === name && other.connectionId === connectionId);
  const rename = async (name: string): Promise<void> => {
    await api.console.saved.save.mutate({ id, connectionId, name, text });
    onRenamed();
  };
  return (
    <NameDialog
      title={words.renameSavedTitle(request.name)}
      label={words.saveName}
      initialName={request.name}
      confirm={words.renameConfirm}
      missing={words.nameMissing}
      faultOf={(name) => (isTaken(name) ? words.nameTaken : undefined)}
      failed={() => words.saveFailed}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}
