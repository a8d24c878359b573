import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { RemoveConnectionDialog } from '../connections/RemoveConnectionDialog.tsx';
import type { Layer } from '../state/layer.ts';

// None of them is on the first screen.
const ConnectionDialog = lazy(async () => ({ default: (await import('../connections/ConnectionDialog.tsx')).ConnectionDialog }));
const RenameDialog = lazy(async () => ({ default: (await import('../connections/RenameDialog.tsx')).RenameDialog }));
const DuplicateDialog = lazy(async () => ({ default: (await import('../connections/DuplicateDialog.tsx')).DuplicateDialog }));
const ExportConnectionsDialog = lazy(async () => ({
  default: (await import('../connections/ExportConnectionsDialog.tsx')).ExportConnectionsDialog,
}));
const GroupDialog = lazy(async () => ({ default: (await import('../connections/GroupDialog.tsx')).GroupDialog }));
const ImportConnectionsDialog = lazy(async () => ({
  default: (await import('../connections/ImportConnectionsDialog.tsx')).ImportConnectionsDialog,
}));
const SettingsDialog = lazy(async () => ({ default: (await import('../settings/SettingsDialog.tsx')).SettingsDialog }));

interface Props {
  readonly layer: Layer | undefined;
  /** @param keepsView - whether what is shown of an open connection still holds */
  readonly onSaved: (connection: SavedConnection, connect: boolean, keepsView: boolean) => void;
  readonly onRemoved: (connection: SavedConnection) => void;
  readonly onDuplicated: (connection: SavedConnection) => Promise<void>;
  /** Several connections are not what they were. */
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** The one layer over the window. */
export function Layers(props: Props): ReactNode {
  return <Suspense>{layerOf(props)}</Suspense>;
}

function layerOf({ layer, onSaved, onRemoved, onDuplicated, onChanged, onClose }: Props): ReactNode {
  switch (layer?.is) {
    case undefined:
      return null;
    case 'new':
      return <ConnectionDialog key="new" saved={undefined} onSaved={onSaved} onClose={onClose} />;
    case 'edit':
      return <ConnectionDialog key={layer.connection.id} saved={layer.connection} onSaved={onSaved} onClose={onClose} />;
    case 'remove':
      return (
        <RemoveConnectionDialog connection={layer.connection} onRemoved={() => onRemoved(layer.connection)} onClose={onClose} />
      );
    case 'rename':
      return <RenameDialog connection={layer.connection} onChanged={onChanged} onClose={onClose} />;
    case 'duplicate':
      return <DuplicateDialog connection={layer.connection} onDuplicated={onDuplicated} onClose={onClose} />;
    case 'group':
      return <GroupDialog connection={layer.connection} onChanged={onChanged} onClose={onClose} />;
    case 'import':
      return <ImportConnectionsDialog onChanged={onChanged} onClose={onClose} />;
    case 'export':
      return <ExportConnectionsDialog onClose={onClose} />;
    case 'settings':
      return <SettingsDialog section={layer.section} onClose={onClose} />;
  }
}
