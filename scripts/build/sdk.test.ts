import { describe, expect, it } from 'vitest';
import { withJsSpecifiers } from './sdk.ts';

describe('withJsSpecifiers', () => {
  it.each([
    [`export { a } from "./a.ts";`, `export { a } from "./a.js";`],
    [`import type { A } from '../model/a.ts';`, `import type { A } from '../model/a.js';`],
    [`import "./side.ts";`, `import "./side.js";`],
    [`declare const a: import("./model/a.ts").A;`, `declare const a: import("./model/a.js").A;`],
    [`export * from "zod";`, `export * from "zod";`],
    [`declare const a: "./a.ts";`, `declare const a: "./a.ts";`],
    [`export { a } from "pkg/a.ts";`, `export { a } from "pkg/a.ts";`],
  ])('%s', (from, to) => {
    expect(withJsSpecifiers(from)).toBe(to);
  });
});
