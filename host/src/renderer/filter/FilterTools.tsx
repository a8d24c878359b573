import { Button, SegmentedControl } from '@mantine/core';
import { IconCode, IconFilterPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { CaseControl } from './CaseControl.tsx';
import styles from './filter.module.css';
import { PresetMenu } from './PresetMenu.tsx';
import type { FilterBarModel } from './useFilterBar.ts';

interface Props {
  readonly model: FilterBarModel;
  readonly onReloadStructure: () => void;
}

/** The buttons below the conditions. */
export function FilterTools({ model, onReloadStructure }: Props): ReactNode {
  const { filter, filtering, expression } = model;
  const { draft, apply } = filter;
  const words = strings.filter;
  const several = draft.rows.length + (draft.raw === undefined ? 0 : 1) > 1;
  return (
    <div className={styles.tools}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        leftSection={<IconFilterPlus size={14} stroke={1.75} />}
        title={words.addTitle}
        onClick={model.add}
      >
        {words.add}
      </Button>
      {filtering.raw === undefined || draft.raw !== undefined ? null : (
        <Button variant="subtle" color="gray" size="compact-xs" title={filtering.raw.help} onClick={model.addRaw}>
          {filtering.raw.label}
        </Button>
      )}
      <PresetMenu
        presets={model.presets}
        draft={draft}
        dialog={model.dialog}
        onDialog={model.setDialog}
        onApply={apply}
        onSave={model.savePresets}
      />
      <CaseControl filtering={filtering} filter={filter} />
      {several && filtering.match.length > 1 ? (
        <SegmentedControl
          className={styles.match}
          size="xs"
          aria-label={words.match}
          value={draft.match}
          onChange={(value) => apply({ ...draft, match: value === 'any' ? 'any' : 'all' })}
          data={filtering.match.map((value) => ({
            value,
            label: <span title={words.matchHelp[value]}>{words.matches[value]}</span>,
          }))}
        />
      ) : null}
      <span className={styles.space} />
      {model.problem?.code === 'STRUCTURE_CHANGED' ? (
        <Button variant="default" size="compact-xs" onClick={onReloadStructure}>
          {words.reloadStructure}
        </Button>
      ) : null}
      {expression === undefined ? null : (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-pressed={expression.isShown}
          title={words.expressionTitle}
          leftSection={<IconCode size={14} stroke={1.75} />}
          onClick={expression.toggle}
        >
          {words.expression}
        </Button>
      )}
      {model.isEmpty ? null : (
        <>
          <Button variant={filter.isChanged ? 'filled' : 'default'} size="compact-xs" onClick={() => apply()}>
            {words.apply}
          </Button>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={filter.clear}>
            {words.clear}
          </Button>
        </>
      )}
    </div>
  );
}
