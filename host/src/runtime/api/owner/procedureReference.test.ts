import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { appRouter } from '../router.ts';
import { ownerRouter } from './ownerRouter.ts';
import { procedureReference } from './procedureReference.test-helper.ts';

const page = fileURLToPath(new URL('../../../../../docs/reference/api.md', import.meta.url));

it('the reference of the API is that of the router; "npm run api" writes it', async () => {
  const text = await format(procedureReference(ownerRouter, appRouter), { ...(await resolveConfig(page)), parser: 'markdown' });
  await expect(text).toMatchFileSnapshot(page);
});
