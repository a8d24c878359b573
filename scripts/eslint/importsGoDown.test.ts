import { join } from 'node:path';
import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, it } from 'vitest';
import { root } from '../paths.ts';
import { importsGoDown } from './importsGoDown.ts';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it;
Object.assign(RuleTester, { afterAll });

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

const at = (filename: string, code: string) => ({ filename: join(root, filename), code, name: `${filename}: ${code}` });
const refused = (filename: string, code: string, sentence: RegExp) => ({
  ...at(filename, code),
  errors: [{ message: sentence }],
});

tester.run('imports-go-down', importsGoDown, {
  valid: [
    at('sdk/src/driver.ts', `import { a } from './model/cell.ts'; import { z } from 'zod';`),
    at('sdk/src/testing/kit.ts', `import { a } from '../driver.ts'; import { b } from 'node:util';`),
    at(
      'host/src/common/drivers.ts',
      `import type { Manifest } from '@tabularium/sdk/manifest'; export type { Cell } from '@tabularium/sdk';`,
    ),
    at(
      'host/src/runtime/main.ts',
      `import { a } from '../common/access.ts'; import { b } from '@tabularium/sdk'; import 'undici'; import 'node:net';`,
    ),
    at('host/src/cli/serve.ts', `const { a } = await import('../web/server.ts');`),
    at('host/src/renderer/grid/view/Grid.tsx', `import { a } from '../../common/access.ts'; import 'react';`),
    at(
      'host/src/renderer/api.ts',
      `import type { AppRouter } from '../runtime/api/router.ts'; import { decodeBatch } from '@tabularium/sdk';`,
    ),
    at('drivers/search/src/index.ts', `import { a } from '@tabularium/sdk'; import { b } from './filters.ts';`),
    at('host/src/common/access.test.ts', `import { a } from '../runtime/main.ts'; import 'node:fs';`),
    at('tests/e2e/road.test.ts', `import { a } from '../../host/src/runtime/main.ts'; import '@tabularium/driver-search';`),
  ],
  invalid: [
    refused('sdk/src/driver.ts', `import { a } from '../../host/src/common/access.ts';`, /^sdk may not import host\/common/),
    refused('sdk/src/driver.ts', `import { a } from './testing/kit.ts';`, /^sdk may not import sdk\/testing/),
    refused('sdk/src/driver.ts', `import { a } from 'node:fs';`, /^sdk runs where Node's modules do not exist/),
    refused('sdk/src/driver.ts', `import { a } from 'undici';`, /^sdk may import only zod, and this is undici/),
    refused(
      'host/src/common/drivers.ts',
      `import { a } from '@tabularium/sdk/testing';`,
      /^host\/common may not import sdk\/testing/,
    ),
    refused('host/src/common/drivers.ts', `import { a } from 'undici';`, /may import only zod/),
    refused(
      'host/src/common/drivers.ts',
      `type A = import('../runtime/main.ts').A;`,
      /^host\/common may not import host\/runtime/,
    ),
    refused('host/src/runtime/main.ts', `import { a } from '../web/server.ts';`, /^host\/runtime may not import host\/web/),
    refused(
      'host/src/runtime/main.ts',
      `const a = await import('../../../drivers/search/src/index.ts');`,
      /may not import driver/,
    ),
    refused('host/src/runtime/main.ts', `import { a } from '@tabularium/driver-search';`, /may be imported by tests only/),
    refused('host/src/runtime/main.ts', `export { a } from '../../../other/a.ts';`, /belongs to no floor/),
    refused('host/src/driver-process/main.ts', `import { a } from '../common/access.ts';`, /may not import host\/common/),
    refused('host/src/driver-process/main.ts', `import { a } from 'zod';`, /may import no package/),
    refused('host/src/bridge/main.ts', `import { a } from '@tabularium/sdk';`, /^host\/bridge may not import sdk/),
    refused('host/src/electron/main.ts', `import { a } from '../renderer/main.tsx';`, /may not import host\/renderer/),
    refused('host/src/renderer/main.tsx', `import { a } from '../runtime/main.ts';`, /may import types of host\/runtime only/),
    refused('host/src/renderer/main.tsx', `export * from '../runtime/main.ts';`, /may import types of host\/runtime only/),
    refused('host/src/renderer/main.tsx', `import type { A } from '../web/server.ts';`, /may not import host\/web/),
    refused('host/src/renderer/main.tsx', `import { a } from 'fs';`, /Node's modules do not exist/),
    refused('drivers/search/src/index.ts', `import { a } from '../../other/src/index.ts';`, /share code only through the sdk/),
    refused('drivers/search/src/index.ts', `import { a } from '@tabularium/sdk/testing';`, /^driver may not import sdk\/testing/),
    refused(
      'registry/src/index.ts',
      `import { a } from '../../host/src/runtime/main.ts';`,
      /^registry may not import host\/runtime/,
    ),
  ],
});
