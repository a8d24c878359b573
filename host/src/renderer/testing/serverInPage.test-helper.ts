// The library of the router works in a page only with a flag that this is a test. So this comes before anything that imports it.
Reflect.set(globalThis, 'process', { env: { NODE_ENV: 'test' } });
