import { runVitest } from './testing/vitest.ts';

// `npm run test:long`: fuzz and chaos, which take longer than anybody waits for.

const { passed, failed } = await runVitest({ set: 'long' });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
