import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { runCommand } from './registry.ts';

/** Problems that end when the person changes the connection. */
const OF_THE_CONNECTION: readonly string[] = [
  'ACCESS_REFUSED',
  'CREDENTIALS_MISSING',
  'SECRET_MISSING',
  'HOST_NOT_FOUND',
  'TLS_FAILED',
];

/** The way into the form of the open connection, beside a problem that it ends; nothing beside another one. */
export function EditConnection({ problem }: { readonly problem: Pick<Problem, 'code'> }): ReactNode {
  if (!OF_THE_CONNECTION.includes(problem.code)) return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => runCommand('connection.edit')}>
      {strings.shell.editConnection}
    </Button>
  );
}
