import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './dialogs.module.css';
import { useSaved } from './SavedPanel.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** Saves a text under a name, for this connection or for all. The same name in the same place is replaced, and says so first. */
export function SaveDialog({ connectionId, text, onClose }: Props): ReactNode {
  const words = strings.console;
  const client = useQueryClient();
  const saved = useSaved(connectionId);
  const [name, setName] = useState('');
  const [where, setWhere] = useState<'here' | 'all'>('here');
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const scope = where === 'here' ? connectionId : null;
  const same = saved.data?.find((request) => request.name === name.trim() && request.connectionId === scope);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '' || saving) return;
    setSaving(true);
    try {
      await api.console.saved.save.mutate({
        connectionId: scope,
        name: name.trim(),
        text,
        ...(same === undefined ? {} : { id: same.id }),
      });
      await client.invalidateQueries({ queryKey: ['console', 'saved'] });
      notify({ tone: 'plain', text: words.saved1(name.trim()) });
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setSaving(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.saveTitle}
      size={480}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form className={styles.form} onSubmit={(event) => void save(event)}>
        <TextInput
          data-autofocus
          label={words.saveName}
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div>
          <div className={styles.formLabel} id="save-where">
            {words.saveScope}
          </div>
          <SegmentedControl
            aria-labelledby="save-where"
            value={where}
            onChange={(value) => setWhere(value === 'all' ? 'all' : 'here')}
            data={[
              { value: 'here', label: words.savedHere },
              { value: 'all', label: words.savedGlobal },
            ]}
          />
        </div>
        <div>
          <div className={styles.formLabel}>{words.saveText}</div>
          <pre className={styles.saveText} tabIndex={0} aria-label={words.saveText}>
            {text.slice(0, 5_000)}
          </pre>
        </div>
        {same === undefined ? null : <p className={styles.truncated}>{words.saveReplace(same.name)}</p>}
        {problem === undefined ? null : <ProblemPanel compact title={words.saveFailed} problem={problem} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" loading={saving} disabled={name.trim() === ''}>
            {words.saveConfirm}
          </Button>
        </DialogActions>
      </form>
    </Modal>
  );
}
