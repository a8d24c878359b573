import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { StagedRow } from '../../../common/editing.ts';
import { ReviewDialog } from '../../editing/ReviewDialog.tsx';
import { useSave } from '../../editing/useSave.ts';
import { useSavedElsewhere } from '../../editing/useSavedElsewhere.ts';
import { strings } from '../../i18n/index.ts';
import { MenuList } from '../../ui/MenuList.tsx';
import { goToCell, placesOfStaged } from '../commands/stagedPlaces.ts';
import type { TabCommands } from '../commands/tabCommands.ts';
import { readRows } from '../model/rowSource.ts';
import { isMultiple, lengthOf, rowsIn } from '../model/selection.ts';
import type { TabModel } from '../tab/tabModel.ts';
import type { OpenDialog } from '../tab/useTabLayers.ts';
import { GoToDialog } from './GoToDialog.tsx';
import { onDemand } from '../../ui/onDemand.tsx';

const ExportDialog = onDemand(async () => (await import('../../transfer/ExportDialog.tsx')).ExportDialog);
const PasteDialog = onDemand(async () => (await import('./PasteDialog.tsx')).PasteDialog);

interface Props {
  readonly model: TabModel;
  readonly commands: TabCommands;
}

/** The dialogs of a tab. The focus goes back to the grid when it closes. */
export function TabDialogs({ model, commands }: Props): ReactNode {
  const { connection, description, layers, grid } = model;
  const { dialog } = layers;
  // Here, not in the dialog: saving continues when the dialog closes.
  const save = useSave(connection.connectionId, description.ref, model.rows.reload);
  useSavedElsewhere(model.edited.stage.state, save.run, model.rows.reload);
  const leave = (): void => {
    layers.close();
    grid.current?.focus();
  };
  // The dialog gives the focus back to where it was before; the grid takes it after that.
  const leaveAtNextFrame = (): void => {
    layers.close();
    requestAnimationFrame(() => grid.current?.focus());
  };
  const { source } = model.edited;
  const places = useMemo(
    () => (dialog?.kind === 'review' ? placesOfStaged(source) : new Map<string, number>()),
    [dialog, source],
  );
  const showIn = (staged: StagedRow, name: string | undefined): (() => void) | undefined => {
    const row = places.get(staged.id);
    if (row === undefined) return undefined;
    return () => {
      layers.close();
      requestAnimationFrame(() => goToCell(model, row, name));
    };
  };
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'cellMenu':
      return <MenuList label={strings.editing.menu} place={dialog.place} entries={commands.cellMenu()} onClose={leave} />;
    case 'menu':
      return <MenuList label={dialog.label} place={dialog.place} entries={dialog.entries} onClose={leave} />;
    case 'goTo':
      return <GoTo model={model} onClose={leaveAtNextFrame} />;
    case 'export':
      return <Export model={model} onClose={leaveAtNextFrame} />;
    case 'paste':
      return <Paste model={model} commands={commands} dialog={dialog} onClose={leave} />;
    case 'review': {
      const { connectionId } = connection;
      return (
        <ReviewDialog
          connectionId={connectionId}
          description={description}
          stage={model.edited.stage}
          save={save}
          onClose={leave}
          showIn={showIn}
        />
      );
    }
  }
}

interface DialogProps {
  readonly model: TabModel;
  readonly onClose: () => void;
}

function GoTo({ model, onClose }: DialogProps): ReactNode {
  const { columns } = model.columns;
  const { active } = model.selection;
  const { above } = model.edited;
  return (
    <GoToDialog
      rowCount={Math.max(1, model.rows.cache.knownRows)}
      columns={columns}
      row={Math.max(0, (active?.row ?? above) - above)}
      column={active === undefined ? undefined : columns[active.column]?.name}
      onGo={(row, name) => {
        const column = columns.findIndex((one) => one.name === name);
        model.grid.current?.goTo({ row: row + above, column: column === -1 ? (active?.column ?? 0) : column });
      }}
      onClose={onClose}
    />
  );
}

function Export({ model, onClose }: DialogProps): ReactNode {
  const { connection, description, filter, size } = model;
  const { all, columns } = model.columns;
  const { selection } = model.selection;
  const { source } = model.edited;
  const rows = selection !== undefined && isMultiple(selection) ? rowsIn(selection.ranges, size) : undefined;
  return (
    <ExportDialog
      connectionId={connection.connectionId}
      table={description.ref}
      columns={all}
      shownColumns={columns.map(({ name }) => name)}
      filter={filter.applied}
      selected={
        rows === undefined
          ? undefined
          : { rows: lengthOf(rows), read: (signal, places) => readRows(source, rows, signal, places) }
      }
      onClose={onClose}
    />
  );
}

interface PasteProps extends DialogProps {
  readonly commands: TabCommands;
  readonly dialog: Extract<OpenDialog, { kind: 'paste' }>;
}

function Paste({ model, commands, dialog, onClose }: PasteProps): ReactNode {
  const { start, text, read } = dialog;
  const { edited } = model;
  const { plan, stagePlan } = commands.pasting;
  return (
    <PasteDialog
      table={{ name: model.description.ref.name, columns: edited.writable.map(({ name }) => name) }}
      text={text}
      read={read}
      start={start}
      startsAt={
        start === undefined
          ? undefined
          : { line: Math.max(1, start.row + 1 - edited.above), column: model.columns.columns[start.column]?.name ?? '' }
      }
      plan={plan}
      onStage={stagePlan}
      onClose={onClose}
    />
  );
}
