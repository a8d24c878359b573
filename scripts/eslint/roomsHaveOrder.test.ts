import { join } from 'node:path';
import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, it } from 'vitest';
import { root } from '../paths.ts';
import { roomsHaveOrder } from './roomsHaveOrder.ts';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it;
Object.assign(RuleTester, { afterAll });

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

const at = (filename: string, code: string) => ({ filename: join(root, filename), code, name: `${filename}: ${code}` });
const rejected = (filename: string, code: string, sentence: RegExp) => ({
  ...at(filename, code),
  errors: [{ message: sentence }],
});

tester.run('rooms-have-order', roomsHaveOrder, {
  valid: [
    at('host/src/runtime/data/sessions.ts', `import { a } from '../storage/database.ts'; import { b } from './tables.ts';`),
    at('host/src/runtime/composition.ts', `import { a } from './api/router.ts';`),
    at(
      'host/src/renderer/grid/view/DataGrid.tsx',
      `import { a } from '../model/selection.ts'; import { b } from '../../../common/access.ts';`,
    ),
    at('host/src/runtime/storage/database.test.ts', `import { a } from '../data/sessions.ts';`),
    at('host/src/common/access.ts', `import { a } from './errors.ts';`),
  ],
  invalid: [
    rejected('host/src/runtime/storage/database.ts', `import { a } from '../data/sessions.ts';`, /^storage may not import data/),
    rejected(
      'host/src/runtime/storage/database.ts',
      `import type { A } from '../data/sessions.ts';`,
      /^storage may not import data/,
    ),
    rejected('host/src/runtime/storage/database.ts', `type A = import('../data/sessions.ts').A;`, /^storage may not import data/),
    rejected('host/src/runtime/storage/database.ts', `export { a } from '../data/sessions.ts';`, /^storage may not import data/),
    rejected('host/src/runtime/data/tables.ts', `await import('../composition.ts');`, /^data may not import \(floor\)/),
    rejected(
      'host/src/renderer/grid/model/fit.ts',
      `import { a } from '../view/DataGrid.tsx';`,
      /^grid\/model may not import grid\/view/,
    ),
  ],
});
