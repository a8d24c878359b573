// A driver that lists what it can reach: the names of its globals, of `process`, and of what every module exports, by each way to a module.

const { createRequire } = await import('node:module');
const require = createRequire(import.meta.url);
const namesOf = (value) => Reflect.ownKeys(value).map(String);

/** Everything by which code can ask for a module. Each gives an object of exports. */
const ROUTES = {
  import: (name) => import(name),
  'import of a default': async (name) => (await import(name)).default,
  require: (name) => require(name),
  'getBuiltinModule of process': (name) => globalThis.process.getBuiltinModule(name),
  'evaluated text': (name) => (0, eval)(`import(${JSON.stringify(name)})`),
  'a made function': (name) => new Function('name', 'return import(name)')(name),
  'the main module': (name) => globalThis.process.mainModule.require(name),
  'a global require': (name) => globalThis.require(name),
};

async function explore(modules) {
  const found = { globals: namesOf(globalThis), process: namesOf(process), modules: {}, refused: {} };
  for (let level = Object.getPrototypeOf(process); level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    found.process.push(...namesOf(level));
  }
  for (const name of modules) {
    for (const [route, open] of Object.entries(ROUTES)) {
      try {
        const exports = await open(name);
        const has = typeof exports === 'object' || typeof exports === 'function' ? namesOf(exports) : [];
        (found.modules[name] ??= {})[route] = has;
      } catch (error) {
        (found.refused[name] ??= {})[route] = String(error?.message ?? error);
      }
    }
  }
  return found;
}

export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: {
    id: 'fixture',
    async connect(settings) {
      const found = await explore(JSON.parse(settings.host));
      return {
        server: { product: 'Explorer' },
        findings: [],
        async ping() {},
        async listTables() {
          return [];
        },
        async describeTable(table) {
          const definition = { language: 'json', text: JSON.stringify(found) };
          return {
            ref: table,
            kind: 'table',
            columns: [],
            key: [],
            paging: 'offset',
            readsFromEnd: false,
            notes: [],
            definition,
          };
        },
        async close() {},
      };
    },
  },
};
