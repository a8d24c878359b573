import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { visibleText } from '@tabularium/sdk';
import type {
  ChangedSecret,
  NewFile,
  NewOrigin,
  OriginPlace,
  SecretAspect,
  SecretQuestion,
  SecretSide,
} from '../../common/secretQuestion.ts';
import { DECRYPTS, GIVEN_TO_DRIVER, SECRET_ASPECTS, SIGN_IN_ON_THE_WAY, isChanged } from '../../common/secretQuestion.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { AddressText } from './AddressText.tsx';
import styles from './secretDialog.module.css';

/** Characters of a path, which is shown whole. */
const LONGEST_PATH = 20_000;

interface Props {
  readonly question: SecretQuestion;
  /** Confirms exactly what is shown. */
  onConfirm(this: void): Promise<void>;
  readonly onRefuse: () => void;
}

/** Shows what a connection's credentials were entered for beside what they would be used for now, and asks. */
export function SecretDialog({ question, onConfirm, onRefuse }: Props): ReactNode {
  const words = strings.secrets;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const name = visible(question.connection);
  const confirmChange = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  const driver = visible(question.driver.title);
  const { changes, newOrigins = [], newFiles = [], isDistrusted = false } = question;
  const isKnown = changes.some(({ before }) => before !== undefined);
  return (
    <Modal
      opened
      onClose={onRefuse}
      title={changes.length > 0 ? words.title(name) : newOrigins.length > 0 ? words.titleOrigins(name) : words.titleFiles(name)}
      size={680}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {isDistrusted ? (
        <p className={styles.problem} role="alert">
          {words.textDistrusted(driver)}
        </p>
      ) : null}
      {newOrigins.length === 0 ? null : <p className={styles.text}>{words.textOrigins(driver, name)}</p>}
      {newOrigins.map((origin) => (
        <OriginChange key={origin.id} origin={origin} />
      ))}
      {newFiles.length === 0 ? null : <p className={styles.text}>{words.textFiles(driver, name)}</p>}
      {newFiles.map((file) => (
        <FileChange key={file.field} file={file} />
      ))}
      {changes.length === 0 ? null : <p className={styles.text}>{isKnown ? words.text(name) : words.textNew(name)}</p>}
      {changes.map((change) => (
        <Comparison key={change.field} change={change} />
      ))}
      <p className={styles.hint}>{words.cause(driver)}</p>
      {problem === undefined ? null : (
        <p className={styles.problem} role="alert">{`${words.failed}: ${problem.message} ${problem.advice}`}</p>
      )}
      <Group className={styles.actions} justify="flex-end" gap={8}>
        <Button variant="default" onClick={onRefuse} data-autofocus>
          {words.cancel}
        </Button>
        <Button color="red" loading={busy} onClick={() => void confirmChange()}>
          {words.confirm}
        </Button>
      </Group>
    </Modal>
  );
}

function OriginChange({ origin: { label, reason, before, now } }: { readonly origin: NewOrigin }): ReactNode {
  const words = strings.secrets;
  const place = ({ origins, verification }: OriginPlace): ReactNode => (
    <>
      {origins.map((url) => (
        <AddressText key={url} url={url} />
      ))}
      {words.verification[verification]}
    </>
  );
  return (
    <section className={styles.origin}>
      <h3>{label === '' ? words.origin.first : words.origin.label(visible(label))}</h3>
      <dl>
        {before === undefined ? null : (
          <>
            <dt>{words.origin.before}</dt>
            <dd>{place(before)}</dd>
          </>
        )}
        <dt>{before === undefined ? words.origin.isNew : words.origin.now}</dt>
        <dd data-changed>{place(now)}</dd>
      </dl>
      {reason === '' ? null : <p className={styles.reason}>{words.origin.reason(visibleText(reason))}</p>}
    </section>
  );
}

function FileChange({ file: { label, path, reason, before, now } }: { readonly file: NewFile }): ReactNode {
  const words = strings.secrets;
  return (
    <section className={styles.origin}>
      {/* The file first: nothing of the driver's own moves it out of view. */}
      <h3>{visibleText(path, 'name', LONGEST_PATH)}</h3>
      <dl>
        <dt>{words.before}</dt>
        <dd>{before === undefined ? words.file.none : words.file.access[before]}</dd>
        <dt>{words.now}</dt>
        <dd data-changed>{words.file.access[now]}</dd>
      </dl>
      <p className={styles.reason}>{words.origin.label(visible(label))}</p>
      <p className={styles.reason}>{words.origin.reason(visibleText(reason))}</p>
    </section>
  );
}

function Comparison({ change }: { readonly change: ChangedSecret }): ReactNode {
  const words = strings.secrets;
  const { before, now } = change;
  // The destination is shown also where it stays: it is what a person looks for first.
  const shown = SECRET_ASPECTS.filter((aspect) => aspect === 'origins' || isChanged(change, aspect));
  return (
    <table className={styles.table}>
      <caption>{words.table(visible(change.label))}</caption>
      <thead>
        <tr>
          <th scope="col">{words.aspect}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.now}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((aspect) => (
          <tr key={aspect} data-changed={isChanged(change, aspect) || undefined}>
            <th scope="row">{words.aspects[aspect]}</th>
            <td>{before === undefined ? words.unknown : valueOf(before, aspect)}</td>
            <td aria-label={isChanged(change, aspect) ? `${valueOf(now, aspect)} (${words.changed})` : undefined}>
              {valueOf(now, aspect)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function valueOf(side: SecretSide, aspect: SecretAspect): string {
  const words = strings.secrets;
  switch (aspect) {
    case 'verification':
      return words.verification[side.verification];
    case 'from':
      return side.from.kind === 'environment' ? words.variable(visible(side.from.variable)) : words.places[side.from.kind];
    case 'publisher':
      return side.publisher === '' ? words.notInstalled : visible(`${side.publisherName} (${side.publisher})`);
    case 'authorityFile':
      return side.authorityFile === '' ? words.systemAuthorities : visible(side.authorityFile);
    case 'driver':
      return visible(side.driver);
    case 'grants':
      return side.grants.length === 0
        ? words.nothing
        : side.grants.map((grant) => (isGrant(grant) ? strings.grants.short[grant] : visible(grant))).join(', ');
    case 'through':
      return side.through === undefined ? words.directly : visible(side.through);
    case 'further':
      return side.further === undefined ? words.nothing : side.further.map(furtherText).join('; ');
    case 'sentAs':
    case 'origins':
      return side[aspect].length === 0 ? words.nothing : side[aspect].map(itemText).join(', ');
  }
}

function furtherText({ origin, verification, authorityFile, sentAs }: NonNullable<SecretSide['further']>[number]): string {
  const words = strings.secrets;
  const authority = authorityFile === '' ? [] : [visible(authorityFile)];
  return `${visible(origin)} (${[words.verification[verification], ...authority, ...sentAs.map(itemText)].join(', ')})`;
}

function itemText(item: string): string {
  const words = strings.secrets;
  if (item === GIVEN_TO_DRIVER) return words.givenToDriver;
  if (item === SIGN_IN_ON_THE_WAY) return words.signInOnTheWay;
  return item.startsWith(DECRYPTS)
    ? words.decrypts(visible(item.slice(DECRYPTS.length)))
    : visible(item.trim().replace(/:$/, ''));
}

function isGrant(grant: string): grant is keyof typeof strings.grants.short {
  return Object.hasOwn(strings.grants.short, grant);
}

/** Text from outside must not reorder or hide what a person decides by. */
function visible(text: string): string {
  return visibleText(text, 'name');
}
