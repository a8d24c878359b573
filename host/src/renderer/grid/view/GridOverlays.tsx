import { Button, Group } from '@mantine/core';
import { IconTableOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ProblemPanel } from '../../ui/ProblemPanel.tsx';
import { isFiltering } from '../../filter/filterModel.ts';
import { EditConnection } from '../../commands/EditConnection.tsx';
import { strings } from '../../i18n/index.ts';
import styles from './grid.module.css';
import type { TabModel } from '../tab/tabModel.ts';

interface Props {
  readonly model: TabModel;
  readonly onReloadStructure: () => void;
}

/** The message over the rows: that there are none, or why they could not be read. */
export function GridOverlays({ model, onReloadStructure }: Props): ReactNode {
  const { cache, failure, nothingRead, reload } = model.rows;
  const { terms } = model.connection.manifest;
  const tableName = model.description.ref.name;
  const { filter } = model;
  const isFiltered = isFiltering(filter.applied);
  // The bar has another filter than the rows: one that was refused, or isn't applied yet. It must not seem to match nothing.
  const isFormer = isFiltered && (filter.isChanged || filter.showsFaults || filter.refusal !== undefined);
  if (failure !== undefined) {
    return (
      <div className={nothingRead ? styles.overlay : styles.failedPage}>
        <ProblemPanel
          compact={!nothingRead}
          title={nothingRead ? strings.grid.readFailed(tableName) : strings.grid.pageFailed(failure.first + 1, failure.last + 1)}
          problem={failure.problem}
          onRetry={() => cache.retry(failure.page)}
          actions={
            failure.problem.code === 'STRUCTURE_CHANGED' ? (
              <Button size="compact-sm" variant="default" onClick={onReloadStructure}>
                {strings.grid.reloadStructure}
              </Button>
            ) : (
              <EditConnection problem={failure.problem} />
            )
          }
        />
      </div>
    );
  }
  if (!cache.isEmpty || model.edited.above > 0) return null;
  return (
    <div className={styles.overlay}>
      <EmptyState
        icon={<IconTableOff size={40} stroke={1.25} />}
        title={
          isFormer
            ? strings.filter.formerNoMatchTitle
            : isFiltered
              ? strings.filter.noMatchTitle
              : strings.grid.noRowsTitle(terms.row)
        }
        text={
          isFormer
            ? strings.filter.formerNoMatchText
            : isFiltered
              ? strings.filter.noMatchText
              : strings.grid.noRowsText(tableName, terms.row)
        }
        action={
          isFiltered ? (
            <Button variant="default" onClick={filter.clear}>
              {strings.filter.clear}
            </Button>
          ) : (
            <Group gap={8} justify="center">
              {model.edited.stage.ability?.allowed === true ? (
                <Button variant="default" onClick={model.cells.insert}>
                  {strings.editing.insertRow}
                </Button>
              ) : null}
              <Button variant="default" onClick={reload}>
                {strings.grid.reloadRows}
              </Button>
            </Group>
          )
        }
      />
    </div>
  );
}
