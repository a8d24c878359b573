import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { workFolder } from '../../scripts/paths.ts';
import { checkServer } from './checkServer.ts';
import { CheckNotBegun, EXIT_NOT_BEGUN } from './notBegun.ts';
import { RunFile } from './runFile.ts';
import { serverReportMarkdown } from './serverReport.ts';

const USAGE = `Usage: npm run test:server -- --url URL --api-key-env VAR [--report FILE] [--json] [--short] [--restart COMMAND]

Checks the search driver against a server of yours. VAR is the environment variable with a key that may do everything.
It creates collections, aliases, presets, stopwords, curation sets and keys whose names begin with "tabularium-check-" and removes them.
It changes nothing else. The report has no address and no key.

  --report FILE      write the report as Markdown (as JSON if FILE ends in .json)
  --json             print the report as JSON instead of Markdown
  --short            a few documents, and no classifier: about 20 seconds
  --restart COMMAND  a shell command that restarts the server; without it, the restart is not checked

Exit code: 0 all passed, 1 something failed, 2 wrong arguments, 3 no server to check or a key that may not
do everything, 130 interrupted.`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'api-key-env': { type: 'string' },
    report: { type: 'string' },
    json: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    restart: { type: 'string' },
  },
});
const { url, 'api-key-env': variable, report: file, json, short, restart } = values;
const key = variable === undefined ? undefined : process.env[variable];
if (url === undefined || !/^https?:\/\/./.test(url) || !URL.canParse(url) || key === undefined || key === '') {
  console.error(USAGE);
  process.exit(2);
}

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.error('Interrupted. Removing what this run created…');
    ended.abort();
  });

try {
  const report = await checkServer({
    url,
    key,
    short,
    runFile: new RunFile(join(workFolder, 'test-server', 'runs.json')),
    signal: ended.signal,
    ...(restart === undefined ? {} : { restart: () => restarted(restart, url) }),
    onResult: ({ id, outcome, milliseconds, messages }) =>
      console.error(`${outcome.padEnd(6)} ${id} (${milliseconds} ms)${messages.length === 0 ? '' : `: ${messages.length}`}`),
  });
  const markdown = serverReportMarkdown(report);
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (file !== undefined) writeFileSync(file, file.endsWith('.json') ? text : markdown);
  process.stdout.write(json ? text : markdown);
  process.exitCode = { pass: 0, fail: 1, interrupted: 130 }[report.outcome];
} catch (error) {
  const isKnown = error instanceof CheckNotBegun;
  const said = (isKnown ? error.message : String(error)).replaceAll(key, '(key)').replaceAll(new URL(url).host, '(server)');
  console.error(isKnown ? said : `The check did not begin: ${said}`);
  // The file of an earlier run would look like the report of this one.
  if (file !== undefined) {
    const report = { reportVersion: 1, takenAt: new Date().toISOString(), outcome: 'notBegun', message: said };
    writeFileSync(
      file,
      file.endsWith('.json') ? `${JSON.stringify(report, null, 2)}\n` : `# The check did not begin\n\n${said}\n`,
    );
  }
  process.exitCode = ended.signal.aborted ? 130 : isKnown ? EXIT_NOT_BEGUN : 1;
}

/** Runs the person's command, then waits until the server answers again. */
async function restarted(command: string, address: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The command that restarts the server ended with ${code}.`);
  const health = new URL('/health', address);
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 250))) {
    const answer = await fetch(health).catch(() => undefined);
    if (answer?.ok === true) return;
  }
  throw new Error('The server did not answer within 60 seconds after its restart.');
}
