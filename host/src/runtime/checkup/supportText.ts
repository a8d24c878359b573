import { cpus, freemem, release, totalmem, type as systemName } from 'node:os';
import { visibleText } from '@tabularium/sdk';
import type { HostCheck } from '../../common/checkup.ts';
import { withoutCredentials } from '../storage/withoutCredentials.ts';

/** One part of a support report. */
export interface ReportSection {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface SupportTextParts {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's folder, which often has a person's name. It is written as `~`. */
  readonly userFolder: string;
  readonly checks: readonly HostCheck[];
  readonly sections: readonly ReportSection[];
  readonly log: string;
  /** Takes out secret values that are known. */
  readonly redact?: (text: string) => string;
}

const MEGABYTE = 1024 * 1024;
/** Variables that change what the program does. Their values may be private, so the report has the names alone. */
const RELEVANT =
  /^(TABULARIUM_|NODE_|XDG_|(HTTPS?|NO|ALL)_PROXY$|SSL_CERT_|LANG$|LC_ALL$|DBUS_SESSION_BUS_ADDRESS$|DISPLAY$|WAYLAND_DISPLAY$)/i;

/** A support report as one text file: for people who read it before they give it away, and for those who get it. */
/** The system has none for a variable TZ that names none. */
function timeZone({ TZ }: SupportTextParts['env']): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions() as { readonly timeZone: string | undefined };
  return zone ?? `not known (the variable TZ is ${JSON.stringify(TZ ?? '')})`;
}

export function supportText(parts: SupportTextParts): string {
  const { version, env, checks, sections, log, redact = (text) => text, userFolder } = parts;
  const variables = Object.keys(env)
    .filter((name) => RELEVANT.test(name) && (env[name] ?? '') !== '')
    .sort();
  const all: readonly ReportSection[] = [
    {
      title: 'Computer',
      lines: [
        `Tabularium ${version}`,
        `Node ${process.versions.node}, OpenSSL ${process.versions['openssl'] ?? 'unknown'}, SQLite ${process.versions['sqlite'] ?? 'unknown'}`,
        `${systemName()} ${release()}, ${process.arch}`,
        `${cpus().length} processors, ${Math.round(totalmem() / MEGABYTE)} MB of memory, ${Math.round(freemem() / MEGABYTE)} MB free`,
        `Language and time zone: ${Intl.DateTimeFormat().resolvedOptions().locale}, ${timeZone(env)}`,
        `Variables that are set: ${variables.length === 0 ? 'none' : variables.join(', ')}`,
      ],
    },
    {
      title: 'Checks',
      lines: checks.map(({ name, ok, forReport, ...named }) => {
        const { finding, advice } = forReport ?? named;
        return `${ok ? 'ok    ' : 'FAILED'} ${name}: ${finding}${advice === null ? '' : ` (${advice})`}`;
      }),
    },
    ...sections,
    // The end is what counts, so no bound of a line cuts it.
    { title: 'Log', lines: log === '' ? ['There is no log yet.'] : log.trimEnd().split('\n') },
  ];
  const text = all
    .map(({ title, lines }) => `## ${title}\n\n${lines.map((line) => visibleText(line, 'text')).join('\n')}\n`)
    .join('\n');
  const introduction = `# Support report of Tabularium, ${new Date().toISOString()}\n\nIt has no row, statement, password or key on purpose. Read it before you give it to somebody: an error message may quote a name of yours.\n`;
  const clean = withoutCredentials(redact(text));
  return `${introduction}\n${userFolder.length > 1 ? clean.replaceAll(userFolder, '~') : clean}`;
}
