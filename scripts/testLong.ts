import { directLoopback } from './directLoopback.ts';
import { runVitest } from './testing/vitest.ts';

// `npm run test:long`: fuzz and chaos, which take longer than anybody waits for.

// Every test has its servers on this machine.
Object.assign(process.env, directLoopback(process.env));

const { passed, failed } = await runVitest({ set: 'long' });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
