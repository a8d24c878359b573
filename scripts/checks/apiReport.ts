import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorMessageCategory } from '@microsoft/api-extractor';
import type { ExtractorMessage } from '@microsoft/api-extractor';
import { z } from 'zod';

const packageSchema = z.object({ exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])) });

interface EntryPoint {
  /** `index`, `manifest` …: the name of the report. */
  readonly name: string;
  /** The built declarations, absolute. */
  readonly declarations: string;
}

/** Every subpath that package.json exports with types. */
function entryPoints(sdkFolder: string): EntryPoint[] {
  const json: unknown = JSON.parse(readFileSync(join(sdkFolder, 'package.json'), 'utf8'));
  return Object.entries(packageSchema.parse(json).exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            name: subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '-'),
            declarations: join(sdkFolder, target.types),
          },
        ],
  );
}

/**
 * Members may speak for themselves; all that the sdk exports is public, so that it has no release tags; and what one entry point
 * mentions without exporting it stands in the report like the rest, and may be linked to: each entry point is looked at alone.
 */
const accepted = new Set(['ae-missing-release-tag', 'ae-undocumented', 'ae-forgotten-export', 'ae-unresolved-link']);

/** Writes the report of one entry point into `reportFolder` and returns what is wrong with the source. */
function extract(sdkFolder: string, entryPoint: EntryPoint, reportFolder: string): string[] {
  const faults: string[] = [];
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: sdkFolder,
      newlineKind: 'lf',
      mainEntryPointFilePath: entryPoint.declarations,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2024',
            lib: ['es2024', 'esnext.disposable'],
            module: 'nodenext',
            moduleResolution: 'nodenext',
            strict: true,
            types: ['node'],
          },
          files: [entryPoint.declarations],
        },
      },
      apiReport: {
        enabled: true,
        reportFolder,
        reportTempFolder: join(reportFolder, 'temp'),
        reportFileName: `${entryPoint.name}.api.md`,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(sdkFolder, 'package.json'),
  });
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback(message: ExtractorMessage) {
      const isAboutSource = message.category !== ExtractorMessageCategory.Console;
      if (isAboutSource && !accepted.has(message.messageId)) {
        const where = message.sourceFilePath === undefined ? entryPoint.name : relative(sdkFolder, message.sourceFilePath);
        faults.push(`${where}:${message.sourceFileLine ?? 0} ${message.text} (${message.messageId})`);
      }
      message.handled = true;
    },
  });
  return faults;
}

/** The exports that the report marks: `// @public (undocumented)` at the start of a line, before the declaration. */
function undocumentedExports(report: string): string[] {
  return [...report.matchAll(/^\/\/ @\w+ \(undocumented\)\nexport (.*)$/gm)].map(([, declaration = '']) => declaration);
}

/**
 * Compares the public API of the built sdk with the committed reports (sdk/*.api.md), or rewrites those. Returns sentences that say
 * what is wrong; none if all is well.
 */
export function checkApi(sdkFolder: string, { update }: { update: boolean }): string[] {
  const faults: string[] = [];
  const reportFolder = mkdtempSync(join(tmpdir(), 'tabularium-api-'));
  mkdirSync(join(reportFolder, 'temp'));
  try {
    for (const entryPoint of entryPoints(sdkFolder)) {
      if (!existsSync(entryPoint.declarations)) {
        faults.push(
          `package.json exports ${entryPoint.name}, but ${relative(sdkFolder, entryPoint.declarations)} does not exist.`,
        );
        continue;
      }
      faults.push(...extract(sdkFolder, entryPoint, reportFolder));
      const file = `${entryPoint.name}.api.md`;
      const report = readFileSync(join(reportFolder, file), 'utf8');
      faults.push(
        ...undocumentedExports(report).map((declaration) => `${entryPoint.name} exports without documentation: ${declaration}`),
      );
      const committed = join(sdkFolder, file);
      if (update) {
        copyFileSync(join(reportFolder, file), committed);
      } else if (!existsSync(committed) || readFileSync(committed, 'utf8') !== report) {
        faults.push(`The public API differs from sdk/${file}. If that is meant, run "npm run api" and commit the report.`);
      }
    }
  } finally {
    rmSync(reportFolder, { recursive: true, force: true });
  }
  return faults;
}
