import { parseDriverPackageJson } from '../../package/packageJson.ts';
import { travellingPackageJson } from '../../package/travelling.ts';
import { readDriverSource } from '../package/collect.ts';
import { CliError } from '../cliError.ts';

/** The file that package.json names as the driver's entry, relative to the folder. @throws CliError `PROJECT_INVALID` */
export async function driverEntry(folder: string): Promise<string> {
  const { dependencies: _bundled, ...source } = travellingPackageJson(await readDriverSource(folder));
  const read = parseDriverPackageJson(source);
  if (read.ok) return read.packageJson.entry;
  throw new CliError(
    'PROJECT_INVALID',
    `The package.json of this driver is not right:\n${read.problems.map((problem) => `  ${problem}`).join('\n')}`,
    'Correct what is named above; tabularium-driver check looks at the rest.',
  );
}
