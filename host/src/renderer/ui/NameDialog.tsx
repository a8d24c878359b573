import { Box, Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from './ProblemPanel.tsx';
import { DialogActions } from './DialogActions.tsx';

interface Props {
  readonly title: string;
  /** Of the field. */
  readonly label: string;
  readonly description?: ReactNode;
  readonly initialName?: string;
  readonly maxLength?: number;
  /** Of the button. */
  readonly confirm: string;
  /** Said when the field is empty and somebody submits it. */
  readonly missing: string;
  /** Why the window rejects a name; undefined for a good one. */
  readonly faultOf?: (name: string) => string | undefined;
  /** The code of an error that belongs to the field. Other errors have a panel of their own. */
  readonly fieldError?: Problem['code'];
  readonly failed: (name: string) => string;
  /** Gets the name without spaces at its ends. A rejection is shown, and the name stays. */
  readonly onSubmit: (name: string) => Promise<void>;
  readonly onClose: () => void;
  /** More to choose, below the name. */
  readonly children?: ReactNode;
}

/** Asks for one name. Enter submits it, Escape leaves; a name that was rejected stays in the field with the reason. */
export function NameDialog({
  title,
  label,
  description,
  initialName = '',
  maxLength = 120,
  confirm,
  missing,
  faultOf,
  fieldError,
  failed,
  onSubmit,
  onClose,
  children,
}: Props): ReactNode {
  const [name, setName] = useState(initialName);
  const [wasSubmitted, setSubmitted] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const typed = name.trim();
  const fault = typed === '' ? missing : faultOf?.(typed);
  const ofField = problem !== undefined && problem.code === fieldError ? problem.message : undefined;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSubmitted(true);
    if (fault !== undefined || isRunning) return;
    setRunning(true);
    setProblem(undefined);
    try {
      await onSubmit(typed);
    } catch (error) {
      setProblem(problemOf(error));
      setRunning(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size={440} centered closeButtonProps={{ 'aria-label': strings.common.close }}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <TextInput
          data-autofocus
          label={label}
          description={description}
          value={name}
          maxLength={maxLength}
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          error={typed !== '' || wasSubmitted ? (fault ?? ofField) : undefined}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(undefined);
          }}
          onFocus={(event) => event.currentTarget.select()}
        />
        {children === undefined ? null : <Box mt={14}>{children}</Box>}
        {problem === undefined || ofField !== undefined ? null : (
          <Box mt={12}>
            <ProblemPanel compact title={failed(typed)} problem={problem} />
          </Box>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" loading={isRunning}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Modal>
  );
}
