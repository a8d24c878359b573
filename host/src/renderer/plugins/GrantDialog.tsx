import { Button, Modal } from '@mantine/core';
import { IconAlertTriangle, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { visibleText } from '@tabularium/sdk';
import { translatedManifest } from '@tabularium/sdk/manifest';
import type { GrantQuestion } from '../../common/drivers.ts';
import { fixedOriginsOf, isOriginGrant } from '../../common/fixedOrigins.ts';
import { AddressText } from '../ui/AddressText.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { language } from '../i18n/language.ts';
import styles from './plugins.module.css';
import { useConsent } from './useConsent.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly question: GrantQuestion;
  /** Allows it and continues the action that asked. */
  onAllow(this: void): Promise<void>;
  readonly onRefuse: () => void;
}

/** Asks whether a driver may leave the sandbox or see credentials: what it could do then, and why it says it must. */
export function GrantDialog({ question, onAllow, onRefuse }: Props): ReactNode {
  const words = strings.grants;
  const { driver, publisher, grants, missing } = question;
  const { title, permissions } = translatedManifest({ ...question, title: driver.title }, language);
  const origins = fixedOriginsOf(permissions).filter(({ origin }) => missing.includes(origin));
  const named = missing.filter((grant) => !isOriginGrant(grant));
  const onlyOrigins = named.length === 0;
  const onlySecrets = !onlyOrigins && named.every((grant) => grant === 'secrets');
  const reasons = [
    ...(named.some((grant) => grant !== 'secrets') ? [permissions.unconfined?.reason] : []),
    ...(missing.includes('secrets') ? [permissions.secrets?.reason] : []),
    ...origins.map(({ label, reason }) => `${label}: ${reason}`),
  ];
  const { busy, problem, agree } = useConsent(onAllow);
  return (
    <Modal
      opened
      onClose={onRefuse}
      title={onlyOrigins ? words.titleOrigins(title) : onlySecrets ? words.titleSecrets(title) : words.title(title)}
      size={520}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <div className={styles.trust}>
        <p>
          {missing.length < grants.length
            ? words.more
            : onlyOrigins
              ? words.textOrigins
              : onlySecrets
                ? words.textSecrets
                : words.text}
        </p>
        <ul className={styles.permissions}>
          {named.map((grant) => (
            <li key={grant} data-wide>
              <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
              <span>{words.meaning[grant]}</span>
            </li>
          ))}
          {origins.map(({ origin, label }) => (
            <li key={origin} data-wide>
              <IconWorld size={16} stroke={1.75} aria-hidden />
              <span>
                {words.origin}
                <AddressText url={origin} />
                {words.originLabel(visibleText(label, 'name'))}
              </span>
            </li>
          ))}
        </ul>
        <h3>{words.why}</h3>
        <p>{words.whyText(publisher.name, reasons.filter((reason) => reason !== undefined).join(' '))}</p>
        <p className={styles.fact}>{`${driver.packageName} ${driver.version}`}</p>
        <p className={styles.hint}>{publisher.fingerprint === '' ? words.folder : words.signed(publisher.name)}</p>
        <p className={styles.hint}>{words.once}</p>
        {problem === undefined ? null : <ProblemPanel compact title={words.failed} problem={problem} />}
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
