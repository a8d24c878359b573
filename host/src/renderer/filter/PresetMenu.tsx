import { ActionIcon, Button, Menu, Modal, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './filter.module.css';
import type { FilterDraft } from './filterModel.ts';
import { presetRenamed, withPreset } from './presets.ts';
import type { FilterPreset } from './presets.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

export type PresetDialog = 'save' | 'manage';

interface Props {
  readonly presets: readonly FilterPreset[];
  readonly draft: FilterDraft;
  readonly dialog: PresetDialog | undefined;
  readonly onDialog: (dialog: PresetDialog | undefined) => void;
  readonly onApply: (draft: FilterDraft) => void;
  readonly onSave: (presets: readonly FilterPreset[]) => void;
}

export const isSavable = (draft: FilterDraft): boolean => draft.rows.length > 0 || draft.raw !== undefined;

/** Filters of this table that were saved under a name. */
export function PresetMenu({ presets, draft, dialog, onDialog, onApply, onSave }: Props): ReactNode {
  const words = strings.filter;
  const apply = (preset: FilterPreset): void => {
    // Rows of their own: editing them does not touch the preset.
    onApply({ ...preset.draft, rows: preset.draft.rows.map((row) => ({ ...row, id: crypto.randomUUID() })) });
    notify({ tone: 'plain', text: words.presetApplied(preset.name) });
  };
  return (
    <>
      <Menu position="bottom-start" width={260} withinPortal>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            title={words.presetsTitle}
            leftSection={<IconBookmark size={14} stroke={1.75} />}
          >
            {words.presets}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={words.presetsTitle}>
          {presets.length === 0 ? <Menu.Label>{words.presetsNone}</Menu.Label> : null}
          {presets.map((preset) => (
            <Menu.Item key={preset.id} onClick={() => apply(preset)}>
              {preset.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            disabled={!isSavable(draft)}
            title={isSavable(draft) ? undefined : words.presetSaveUnavailable}
            onClick={() => onDialog('save')}
          >
            {words.presetSave}
          </Menu.Item>
          <Menu.Item disabled={presets.length === 0} onClick={() => onDialog('manage')}>
            {words.presetManage}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' ? (
        <SavePreset presets={presets} draft={draft} onSave={onSave} onClose={() => onDialog(undefined)} />
      ) : null}
      {dialog === 'manage' ? <ManagePresets presets={presets} onSave={onSave} onClose={() => onDialog(undefined)} /> : null}
    </>
  );
}

interface DialogFrameProps extends Pick<Props, 'presets' | 'onSave'> {
  readonly onClose: () => void;
}

function SavePreset({ presets, draft, onSave, onClose }: DialogFrameProps & Pick<Props, 'draft'>): ReactNode {
  const words = strings.filter;
  const [name, setName] = useState('');
  const same = presets.find((preset) => preset.name === name.trim());
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    onSave(withPreset(presets, name, draft));
    notify({ tone: 'plain', text: words.presetSaved(name.trim()) });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.presetSaveTitle}
      size={420}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={save}>
        <TextInput
          data-autofocus
          label={words.presetName}
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {same === undefined ? null : <p className={styles.presetNote}>{words.presetReplace(same.name)}</p>}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" disabled={name.trim() === ''}>
            {words.presetConfirm}
          </Button>
        </DialogActions>
      </form>
    </Modal>
  );
}

function ManagePresets({ presets, onSave, onClose }: DialogFrameProps): ReactNode {
  const words = strings.filter;
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.presetManageTitle}
      size={460}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {presets.length === 0 ? <p className={styles.presetNote}>{words.presetsNone}</p> : null}
      <ul className={styles.presets}>
        {presets.map((preset) => (
          <li key={preset.id}>
            <PresetName preset={preset} presets={presets} onSave={onSave} />
            <ActionIcon
              size={28}
              aria-label={words.presetDelete(preset.name)}
              title={words.presetDelete(preset.name)}
              onClick={() => onSave(presets.filter(({ id }) => id !== preset.id))}
            >
              <IconTrash size={14} stroke={1.75} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function PresetName({
  preset,
  presets,
  onSave,
}: Pick<Props, 'presets' | 'onSave'> & { readonly preset: FilterPreset }): ReactNode {
  const words = strings.filter;
  const [name, setName] = useState(preset.name);
  const next = presetRenamed(presets, preset.id, name);
  const isChanged = name.trim() !== preset.name;
  return (
    <form
      className={styles.presetName}
      onSubmit={(event) => {
        event.preventDefault();
        if (next !== undefined && isChanged) onSave(next);
      }}
    >
      <TextInput
        aria-label={words.presetRename(preset.name)}
        value={name}
        maxLength={120}
        error={next === undefined && name.trim() !== '' ? words.presetTaken : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isChanged ? (
        <Button type="submit" variant="default" disabled={next === undefined}>
          {words.presetRenameConfirm}
        </Button>
      ) : null}
    </form>
  );
}
