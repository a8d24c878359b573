import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorMessageCategory } from '@microsoft/api-extractor';
import type { ExtractorMessage } from '@microsoft/api-extractor';
import { ApiPackage } from '@microsoft/api-extractor-model';
import { z } from 'zod';
import type { EntryPoint } from '../reference/referencePage.ts';
import { referenceIndex, referencePage } from '../reference/referencePage.ts';

const packageSchema = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])),
});

interface BuiltEntryPoint {
  /** The specifier of an import, such as `@tabularium/sdk/testing`. */
  readonly specifier: string;
  /** `index`, `manifest` …: the name of the report. */
  readonly name: string;
  /** The built declarations, absolute. */
  readonly declarations: string;
}

/** Every subpath that package.json exports with types. */
function entryPoints(sdkFolder: string): BuiltEntryPoint[] {
  const json: unknown = JSON.parse(readFileSync(join(sdkFolder, 'package.json'), 'utf8'));
  const { name, exports } = packageSchema.parse(json);
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: subpath === '.' ? name : `${name}/${subpath.slice(2)}`,
            name: subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '-'),
            declarations: join(sdkFolder, target.types),
          },
        ],
  );
}

/**
 * Members may speak for themselves; all that the sdk exports is public, so that it has no release tags; and what one entry point
 * mentions without exporting it is in the report like the rest, and may be linked to: each entry point is looked at alone.
 */
const accepted = new Set(['ae-missing-release-tag', 'ae-undocumented', 'ae-forgotten-export', 'ae-unresolved-link']);

/** Where the sdk's API is declared and written down. */
export interface ApiFolders {
  readonly sdk: string;
  /** Of the reference pages. */
  readonly reference: string;
  /** Packages of types that the declarations use without an import, such as `node`. */
  readonly types: readonly string[];
}

function configOf({ sdk, types }: ApiFolders, entryPoint: BuiltEntryPoint, reportFolder: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: sdk,
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
            types,
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
      docModel: { enabled: true, apiJsonFilePath: join(reportFolder, `${entryPoint.name}.api.json`) },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(sdk, 'package.json'),
  });
}

/** All entry points in one program, so that the libraries are parsed and checked once. */
function programOf(configs: readonly ExtractorConfig[]): CompilerState | undefined {
  const [first, ...others] = configs;
  const additionalEntryPoints = others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  return first && CompilerState.create(first, { additionalEntryPoints });
}

/** Writes the report of one entry point into the folder of its configuration, and returns what is wrong with the source. */
function extract(
  sdkFolder: string,
  entryPoint: BuiltEntryPoint,
  config: ExtractorConfig,
  compilerState: CompilerState | undefined,
): string[] {
  const faults: string[] = [];
  Extractor.invoke(config, {
    localBuild: true,
    ...(compilerState && { compilerState }),
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
 * Compares the public API of the built sdk with the committed reports (sdk/*.api.md) and reference pages, or rewrites those. Returns
 * sentences that say what is wrong; none if all is well.
 */
export function checkApi(folders: ApiFolders, { update }: { update: boolean }): string[] {
  const faults: string[] = [];
  const reportFolder = mkdtempSync(join(tmpdir(), 'tabularium-api-'));
  mkdirSync(join(reportFolder, 'temp'));
  const compare = (file: string, text: string, what: string): void => {
    if (update) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      faults.push(`The public API differs from ${what}. If that is meant, run "npm run api" and commit it.`);
    }
  };
  try {
    const entries: EntryPoint[] = [];
    const built: { entryPoint: BuiltEntryPoint; config: ExtractorConfig }[] = [];
    for (const entryPoint of entryPoints(folders.sdk)) {
      const { name, declarations } = entryPoint;
      if (existsSync(declarations)) built.push({ entryPoint, config: configOf(folders, entryPoint, reportFolder) });
      else faults.push(`package.json exports ${name}, but ${relative(folders.sdk, declarations)} does not exist.`);
    }
    const program = programOf(built.map(({ config }) => config));
    for (const { entryPoint, config } of built) {
      faults.push(...extract(folders.sdk, entryPoint, config, program));
      const file = `${entryPoint.name}.api.md`;
      const report = readFileSync(join(reportFolder, file), 'utf8');
      faults.push(
        ...undocumentedExports(report).map((declaration) => `${entryPoint.name} exports without documentation: ${declaration}`),
      );
      compare(join(folders.sdk, file), report, `sdk/${file}`);
      const api = ApiPackage.loadFromJsonFile(join(reportFolder, `${entryPoint.name}.api.json`));
      entries.push({ page: entryPoint.name, specifier: entryPoint.specifier, api });
    }
    const pages = new Map(entries.map((entry) => [`${entry.page}.md`, referencePage(entry, entries)]));
    pages.set('README.md', referenceIndex(entries));
    for (const [page, text] of pages) compare(join(folders.reference, page), text, `docs/reference/sdk/${page}`);
    for (const page of existsSync(folders.reference) ? readdirSync(folders.reference) : []) {
      if (pages.has(page)) continue;
      if (update) rmSync(join(folders.reference, page));
      else faults.push(`docs/reference/sdk/${page} belongs to nothing that the sdk exports. Run "npm run api".`);
    }
  } finally {
    rmSync(reportFolder, { recursive: true, force: true });
  }
  return faults;
}
