// The library of the router refuses to work in a page unless it is told that this is a test. So this comes before anything that imports it.
Reflect.set(globalThis, 'process', { env: { NODE_ENV: 'test' } });
