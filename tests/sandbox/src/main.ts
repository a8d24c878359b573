import { parseArgs } from 'node:util';
import { startSandbox } from './sandbox.ts';
import { isSandboxVersion, sandboxVersions } from './versions.ts';

const KEY_VARIABLE = 'SANDBOX_API_KEY';

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(2);
};

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    version: { type: 'string', default: '29.0' },
    sample: { type: 'boolean', default: false },
    products: { type: 'string' },
    snapshot: { type: 'string' },
    pace: { type: 'boolean', default: false },
    'export-mb-per-second': { type: 'string' },
    /** End when standard input does, that is, with the process that started this one. */
    'until-stdin-closes': { type: 'boolean', default: false },
  },
});

const apiKey = process.env[KEY_VARIABLE] ?? fail(`Set ${KEY_VARIABLE} to the key that the sandbox should accept.`);
const version = isSandboxVersion(values.version)
  ? values.version
  : fail(`There is no version ${values.version}; the sandbox knows ${sandboxVersions.join(', ')}.`);
const exportRate = values['export-mb-per-second'];

const sandbox = await startSandbox({
  apiKey,
  version,
  host: values.host,
  port: Number(values.port),
  sampleData: values.products === undefined ? values.sample : { products: Number(values.products) },
  ...(values.snapshot === undefined ? {} : { snapshotFile: values.snapshot }),
  pace: values.pace && exportRate !== undefined ? { exportMegabytesPerSecond: Number(exportRate) } : values.pace,
});

const end = (): void => {
  void sandbox.close().then(() => process.exit(0));
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.once('disconnect', end);
if (values['until-stdin-closes']) {
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.stdin.resume();
}
process.stdout.write(`${JSON.stringify({ ready: true, url: sandbox.url, version: sandbox.version })}\n`);
