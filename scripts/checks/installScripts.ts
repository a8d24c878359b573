import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ name: z.string().optional(), hasInstallScript: z.boolean().optional() })),
});
const packageSchema = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

/**
 * Sentences that say which packages want to run a program when they are installed, and nothing decides about it; none if all is well.
 *
 * npm warns about each of them at every installation, and a later npm may run it or refuse it. The parts of the packages that this repository uses work
 * without their scripts.
 *
 * @param lockText - package-lock.json
 * @param packageText - package.json, whose `allowScripts` decides
 */
export function faultsOfInstallScripts(lockText: string, packageText: string): string[] {
  const { packages } = lockSchema.parse(JSON.parse(lockText));
  const { allowScripts } = packageSchema.parse(JSON.parse(packageText));
  const wanting = new Set(
    Object.entries(packages)
      .filter(([place, { hasInstallScript }]) => place.includes('node_modules/') && hasInstallScript === true)
      .map(([place, { name }]) => name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  const decided = Object.keys(allowScripts);
  return [
    ...[...wanting]
      .filter((name) => !decided.includes(name))
      .map(
        (name) =>
          `${name} runs a program when it is installed. Choose another package, or look at the program and write "${name}": false (or true) into "allowScripts" of package.json.`,
      ),
    ...decided
      .filter((name) => !wanting.has(name))
      .map((name) => `"allowScripts" of package.json names ${name}, which has no install script. Take it out.`),
  ];
}
