import type { ConsoleNotice } from '@tabularium/sdk';
import { cutText } from '../cutText.ts';

/** A message of the server beside its answers. */
export interface ServerNotice extends ConsoleNotice {
  /** The server's own word for its severity, in the server's language. */
  readonly label: string;
}

/** The members of the library's message that are used. */
interface SentNotice {
  readonly severity?: string | undefined;
  readonly message?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly code?: string | undefined;
}

const LONGEST = 2_000;

const SEVERITIES: Readonly<Record<string, ConsoleNotice['severity']>> = {
  WARNING: 'warning',
  NOTICE: 'notice',
  INFO: 'info',
  LOG: 'info',
  DEBUG: 'debug',
};

/** A notice with bounded texts. A severity in another language is read from its SQLSTATE: class 01 is a warning. */
export function noticeOf({ severity = 'NOTICE', message = '', detail, hint, code }: SentNotice): ServerNotice {
  const known = Object.hasOwn(SEVERITIES, severity) ? SEVERITIES[severity] : undefined;
  return {
    severity: known ?? (code?.startsWith('01') === true ? 'warning' : 'notice'),
    label: cutText(severity, 40),
    message: cutText(message, LONGEST),
    ...(detail === undefined ? {} : { detail: cutText(detail, LONGEST) }),
    ...(hint === undefined ? {} : { hint: cutText(hint, LONGEST) }),
    ...(code === undefined ? {} : { code: cutText(code, 40) }),
  };
}

/** Bytes of an object and its members. */
const OBJECT = 200;

/** Bytes of memory, at most. */
export function sizeOfNotice({ label, message, detail = '', hint = '', code = '' }: ServerNotice): number {
  return OBJECT + 2 * (label.length + message.length + detail.length + hint.length + code.length);
}
