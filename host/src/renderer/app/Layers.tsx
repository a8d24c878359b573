import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import type { RetainedView } from '../connections/retainedView.ts';
import { RemoveConnectionDialog } from '../connections/RemoveConnectionDialog.tsx';
import type { Layer } from '../state/layer.ts';
import { onDemand } from '../ui/onDemand.tsx';

// None of them is on the first screen.
const ConnectionDialog = onDemand(async () => (await import('../connections/ConnectionDialog.tsx')).ConnectionDialog);
const RenameDialog = onDemand(async () => (await import('../connections/RenameDialog.tsx')).RenameDialog);
const DuplicateDialog = onDemand(async () => (await import('../connections/DuplicateDialog.tsx')).DuplicateDialog);
const ExportConnectionsDialog = onDemand(
  async () => (await import('../connections/ExportConnectionsDialog.tsx')).ExportConnectionsDialog,
);
const GroupDialog = onDemand(async () => (await import('../connections/GroupDialog.tsx')).GroupDialog);
const ImportConnectionsDialog = onDemand(
  async () => (await import('../connections/ImportConnectionsDialog.tsx')).ImportConnectionsDialog,
);
const SettingsDialog = onDemand(async () => (await import('../settings/SettingsDialog.tsx')).SettingsDialog);

interface Props {
  readonly layer: Layer | undefined;
  readonly onSaved: (connection: SavedConnection, connect: boolean, retained: RetainedView) => void;
  readonly onRemoved: (connection: SavedConnection) => void;
  readonly onDuplicated: (connection: SavedConnection) => Promise<void>;
  /** Several connections are not what they were. */
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** The one layer over the window. */
export function Layers({ layer, onSaved, onRemoved, onDuplicated, onChanged, onClose }: Props): ReactNode {
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
