import { resolve } from 'node:path';
import { driverEntry } from '../build/driverEntry.ts';
import { CliError } from '../cliError.ts';
import { develop } from '../dev/develop.ts';
import type { DevelopmentLine } from '../dev/develop.ts';
import { homeFolder } from '../dev/homeFolder.ts';
import { defineCommand, FOLDER_OPTION } from './command.ts';
import { SOURCE_OPTION } from './build.ts';

/** Where debuggers look first. */
const INSPECTOR_PORT = 9_229;

function textOf(line: DevelopmentLine): string {
  switch (line.event) {
    case 'built':
      return `Built ${line.entry} in ${line.milliseconds} ms.`;
    case 'buildFailed':
      return line.message;
    case 'noHost':
      return `Tabularium does not run in ${line.home}. Start it: open the application, or run "tabularium serve". Waiting for it; builds continue.`;
    case 'host':
      return `Tabularium ${line.version} runs in ${line.home}.`;
    case 'hostGone':
      return 'Tabularium has ended.';
    case 'loaded':
      return [
        `Loaded ${line.driver} ${line.version} (unsigned, from this folder).`,
        ...line.sessions.map(({ connection, problem }) =>
          problem === undefined
            ? `  "${connection}" keeps using it.`
            : `  "${connection}" couldn't be opened with it: ${problem}`,
        ),
      ].join('\n');
    case 'refused':
      return `Tabularium did not load this build (${line.code}): ${line.message}\n${line.advice}`;
    case 'typed':
      return line.problems.length === 0
        ? `Types are right (${line.milliseconds} ms).`
        : `${line.message}\n${line.problems.length} ${line.problems.length === 1 ? 'error' : 'errors'} of types. The build is used all the same.`;
    case 'notTyped':
      return `Types aren't checked. ${line.reason}`;
    case 'inspector':
      return `Debugger: attach to ${line.address} (chrome://inspect, or "attach" in your editor).`;
    case 'noInspector':
      return line.message;
    case 'log':
      return `[driver ${line.level}] ${line.message}`;
  }
}

/** @returns undefined: without an inspector. @throws CliError `USAGE` */
function inspectorPortOf(options: {
  readonly inspect: boolean;
  readonly 'inspect-port': string | undefined;
}): number | undefined {
  const given = options['inspect-port'];
  if (given === undefined) return options.inspect ? INSPECTOR_PORT : undefined;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new CliError('USAGE', `"${given}" isn't a port.`, 'Give a number from 1 to 65535, or 0 for any free port.');
}

export const dev = defineCommand({
  name: 'dev',
  summary: 'build at every change, and have the running Tabularium load each build',
  options: {
    ...FOLDER_OPTION,
    ...SOURCE_OPTION,
    inspect: { type: 'boolean', help: "run the driver's process with Node's inspector on 127.0.0.1, for breakpoints" },
    'inspect-port': { type: 'string', value: 'PORT', help: 'its port (default: 9229, or any while that is taken)' },
    home: { type: 'string', value: 'DIR', help: 'the home of the Tabularium to use (default: TABULARIUM_HOME, else your own)' },
  },
  run: async ({ options }, { folder, env, signal, terminal, json }) => {
    const project = resolve(folder, options.folder ?? '.');
    // Faults of the project itself are reported at once; faults that editing can fix are reported as they occur.
    await driverEntry(project);
    await develop({
      folder: project,
      source: options.source,
      home: options.home === undefined ? homeFolder(env) : resolve(folder, options.home),
      env,
      inspectorPort: inspectorPortOf(options),
      signal,
      notify: (line) => void terminal.stdout.write(`${json ? JSON.stringify(line) : textOf(line)}\n`),
    });
    return {
      facts: { event: 'stopped' },
      text: 'Stopped. Tabularium keeps using the last build; "tabularium drivers unload ID" takes the folder away.',
    };
  },
});
