import { Button, Code, Modal } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import { translatedManifest } from '@tabularium/sdk/manifest';
import type { ReactNode } from 'react';
import type { TrustQuestion } from '../../common/drivers.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { language } from '../i18n/language.ts';
import { PermissionList } from './PermissionList.tsx';
import styles from './plugins.module.css';
import { useConsent } from './useConsent.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly question: TrustQuestion;
  /** Trusts the key and continues the action that asked. */
  onTrust(this: void): Promise<void>;
  readonly onRefuse: () => void;
}

/** Asks once whether a publisher is to be trusted: who it says it is, the fingerprint that proves it, and what the driver asks for. */
export function TrustDialog({ question, onTrust, onRefuse }: Props): ReactNode {
  const words = strings.plugins.trust;
  const { publisher, driver, fingerprint, before, resembles, resemblesDriver } = question;
  // Its title stays as it is: look-alikes are found by the English one.
  const { permissions } = translatedManifest(question, language);
  const { busy, problem, agree } = useConsent(onTrust);
  return (
    <Modal
      opened
      onClose={onRefuse}
      title={words.title(visibleText(publisher.name))}
      size={520}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <div className={styles.trust}>
        <p>{words.text(visibleText(driver.title), visibleText(publisher.name))}</p>
        <p className={styles.fact}>{`${driver.packageName} ${driver.version}`}</p>
        {resembles === undefined ? null : (
          <p className={styles.warning} role="alert">
            {words.resembles(resembles)}
          </p>
        )}
        {resemblesDriver === undefined ? null : (
          <p className={styles.warning} role="alert">
            {strings.plugins.lookAlikeText(visibleText(resemblesDriver.title), resemblesDriver.packageName)}
          </p>
        )}
        {before === undefined ? null : (
          <p className={styles.warning} role="alert">
            {words.changed(before.name)}
          </p>
        )}
        <h3>{words.fingerprint}</h3>
        <Code block className={styles.fingerprint}>
          {fingerprint}
        </Code>
        <p className={styles.hint}>{words.compare}</p>
        <h3>{words.asks}</h3>
        <PermissionList asked={permissions} />
        <p className={styles.hint}>{words.once}</p>
        {problem === undefined ? null : <ProblemPanel compact title={strings.plugins.keys.failed} problem={problem} />}
        <DialogActions>
          <Button variant="default" onClick={onRefuse} data-autofocus>
            {words.cancel}
          </Button>
          <Button loading={busy} onClick={agree}>
            {words.confirm}
          </Button>
        </DialogActions>
      </div>
    </Modal>
  );
}
