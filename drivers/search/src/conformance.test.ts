import { afterAll, beforeAll, describe, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { describeDriverConformance } from '@tabularium/sdk/testing';
import type { TestHttp } from '@tabularium/sdk/testing';
import { searchPlan } from './plan.test-helper.ts';
import { admin, httpOf, startFixture } from './fixture.test-helper.ts';

for (const version of sandboxVersions) {
  describe(`on version ${version}`, () => {
    let sandbox: Sandbox;
    let http: TestHttp;
    beforeAll(async () => {
      sandbox = await startFixture(version);
      http = httpOf(sandbox);
      if (Number(version.split('.')[0]) < 30) return;
      // From this version on a rule needs a set that the collection uses.
      await admin(sandbox, 'PUT', '/curation_sets/rules', '{"items":[]}');
      await admin(sandbox, 'PATCH', '/collections/shelf', '{"curation_sets":["rules"]}');
    });
    const plan = searchPlan(() => ({ sandbox, http }));
    afterAll(async () => {
      http.close();
      await plan.end();
      await sandbox.close();
    });
    describeDriverConformance('the search driver keeps the contract', plan, { describe, it });
  });
}
