import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DowngradeQuestion } from '../../common/drivers.ts';
import { strings } from '../i18n/index.ts';
import styles from './plugins.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly question: DowngradeQuestion;
  readonly onConfirm: () => void;
  readonly onRefuse: () => void;
}

/** Asks whether an older version is to take the place of the one in use. */
export function DowngradeDialog({ question, onConfirm, onRefuse }: Props): ReactNode {
  const words = strings.plugins.downgrade;
  const { driver, from, to } = question;
  return (
    <Modal
      opened
      onClose={onRefuse}
      title={words.title(driver.title)}
      size={460}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <div className={styles.trust}>
        <p>{words.text(from, to)}</p>
        <p className={styles.fact}>{driver.packageName}</p>
        <p className={styles.warning}>{words.warning}</p>
        <DialogActions>
          <Button variant="default" onClick={onRefuse} data-autofocus>
            {words.cancel(from)}
          </Button>
          <Button onClick={onConfirm}>{words.confirm(to)}</Button>
        </DialogActions>
      </div>
    </Modal>
  );
}
