import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Manifest } from '../../manifest.ts';
import { FACETS } from '../../protocol/methods.ts';
import { failed, judged, skipped } from './check.ts';
import type { Check } from './check.ts';
import { toolEnvironment } from '../toolEnvironment.ts';
import { CONNECT_PROGRAM, probe } from './probe.ts';

const ID = 'facets';
const TITLE = 'Facets fit the manifest';
const PLANS = ['test/plan.ts', 'test/plan.js'];

/**
 * Facets are found by their presence in a session, so that one has to be opened: by the plan that the conformance kit uses, from the sources.
 *
 * The plan's own code may start a server, so that it has PATH, proxies and certificates of the author's environment and nothing else of it.
 *
 * @param plan - relative to the folder
 */
export async function checkFacets(
  folder: string,
  manifest: Manifest,
  { plan, env, signal }: { readonly plan: string | undefined; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<Check> {
  const file = plan ?? PLANS.find((path) => existsSync(join(folder, path)));
  if (file === undefined || !existsSync(join(folder, file))) {
    if (plan !== undefined) return failed(ID, TITLE, [`The plan ${plan} does not exist.`], 'Name the file that exports "plan".');
    return skipped(
      ID,
      TITLE,
      `No session could be opened: there is no ${PLANS[0] ?? ''} that exports the conformance plan as "plan".`,
    );
  }
  // The bundler would wait for a pipe for ever.
  if (!statSync(join(folder, file)).isFile())
    return failed(ID, TITLE, [`The plan ${file} is not a file.`], 'Name the file that exports "plan".');
  // Beside the plan, so that what it finds by its own place is still there.
  const bundled = join(folder, dirname(file), `.plan-${randomUUID()}.mjs`);
  try {
    const { rolldown } = await import('rolldown');
    const bundle = await rolldown({
      cwd: folder,
      input: join(folder, file),
      platform: 'node',
      external: (id) => !id.startsWith('.') && !isAbsolute(id),
      logLevel: 'silent',
    });
    await bundle.write({ format: 'es', file: bundled, codeSplitting: false });
    await bundle.close();
    const shape = z.object({ facets: z.array(z.string()) });
    const probed = await probe(CONNECT_PROGRAM, [bundled, ...FACETS], { cwd: folder, shape, signal, env: toolEnvironment(env) });
    if (!probed.ok)
      return failed(
        ID,
        TITLE,
        [`The plan ${file} did not open a session. ${probed.problem}`],
        'Mend the plan, or the driver: npm test says more.',
      );
    return judgeFacets(probed.answer.facets, manifest);
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return failed(ID, TITLE, [`The plan ${file} cannot be built: ${why}`], 'Mend the plan.');
  } finally {
    await rm(bundled, { force: true });
  }
}

/** Each facet that a manifest declares must exist in the driver, and the other way round. */
function judgeFacets(facets: readonly string[], manifest: Manifest): Check {
  const problems: string[] = [];
  const console_ = facets.includes('console');
  if (manifest.console !== undefined && !console_) problems.push('The manifest describes a console, and the session has none.');
  if (manifest.console === undefined && console_)
    problems.push("The session has a console that the manifest doesn't describe, so it can't be opened.");
  const found = facets.length === 0 ? 'The session has the core and no facet.' : `The session has ${facets.join(', ')}.`;
  return judged(ID, TITLE, problems, 'Add "console" to the manifest and to the session, or to neither.', found);
}
