// The attempts of a hostile driver with JavaScript alone. One file, so that it can be a driver's entry, and a program of its own that shows that each
// attempt succeeds where nothing prevents it. An attempt that gets where it should not resolves; every other one rejects.

// Texts that the attacker collects on the way: everything that this program decodes or parses, in any way.
const heard = [];
const { decode } = TextDecoder.prototype;
TextDecoder.prototype.decode = function (...values) {
  const text = decode.apply(this, values);
  heard.push(text);
  return text;
};
const { parse } = JSON;
JSON.parse = (text, ...rest) => {
  heard.push(String(text));
  return parse(text, ...rest);
};

// Each attempt imports for itself: one module that is refused must not hide what the others reach.
const module = async (name) => {
  const namespace = await import(`node:${name}`);
  return namespace.default ?? namespace;
};
// Paths by text alone, for no module may be missing.
const join = (...parts) => parts.join('/');
const relative = (from, to) => `${'../'.repeat(from.split('/').length - 1)}${to.slice(1)}`;

const opened = (socket, event = 'connect') =>
  new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', reject);
  }).finally(() => (socket.destroy ?? socket.close)?.call(socket));

/** @type {Record<string, (target: Record<string, any>) => unknown>} */
export const attempts = {
  'TCP connection': async ({ port }) => opened((await module('net')).connect(port, '127.0.0.1')),
  'Unix socket': async ({ socketPath }) => opened((await module('net')).connect(socketPath)),
  'TLS connection': async ({ port }) => {
    const tls = await module('tls');
    const socket = tls.connect({ port, host: '127.0.0.1' });
    return new Promise((resolve, reject) => {
      // The other side speaks no TLS: getting as far as its bytes is far enough.
      socket.once('error', (error) => (error.code === 'ERR_ACCESS_DENIED' ? reject(error) : resolve()));
    });
  },
  'HTTP request': async ({ port }) => opened((await module('http')).get({ port, host: '127.0.0.1' }), 'response'),
  fetch: ({ port }) => fetch(`http://127.0.0.1:${port}/`),
  WebSocket: ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
      socket.onerror = () => reject(new Error('no connection'));
      socket.onopen = () => resolve(socket.close());
    }),
  listening: async () => {
    const net = await module('net');
    return new Promise((resolve, reject) => {
      // The refusal is thrown where no code can catch it.
      process.removeAllListeners('uncaughtException');
      process.once('uncaughtException', reject);
      opened(net.createServer().listen(0, '127.0.0.1'), 'listening').then(resolve, reject);
    });
  },
  'UDP datagram': async ({ udpPort }) => {
    const dgram = await module('dgram');
    const socket = dgram.createSocket('udp4');
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.send('x', udpPort, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    }).finally(() => socket.close());
  },
  'name lookup': async () => (await module('dns/promises')).lookup('localhost'),
  'name query': async ({ udpPort }) => {
    const dns = await module('dns/promises');
    const resolver = new dns.Resolver({ timeout: 200, tries: 1 });
    resolver.setServers([`127.0.0.1:${udpPort}`]);
    return resolver.resolve4('leak.example').catch((error) => {
      if (error.code === 'ERR_ACCESS_DENIED') throw error;
    });
  },

  'reading a file outside': async ({ outside }) => (await module('fs')).readFileSync(join(outside, 'secret'), 'utf8'),
  'reading a neighbour with the same beginning': async ({ neighbour }) =>
    (await module('fs')).readFileSync(join(neighbour, 'secret'), 'utf8'),
  'listing a folder outside': async ({ outside }) => (await module('fs')).readdirSync(outside),
  'writing a file outside': async ({ outside }) => (await module('fs')).writeFileSync(join(outside, 'written'), 'x'),
  'writing into its own folder': async ({ own }) => (await module('fs')).writeFileSync(join(own, 'written'), 'x'),
  'a symbolic link in its own folder': async ({ own, outside }) => (await module('fs')).symlinkSync(outside, join(own, 'link')),
  'a hard link in its own folder': async ({ own, outside }) =>
    (await module('fs')).linkSync(join(outside, 'secret'), join(own, 'hard')),
  'reading its own process table': async () => (await module('fs')).readFileSync('/proc/self/environ'),
  'opening a file outside through a relative path': async ({ own, outside }) =>
    (await module('fs')).openSync(`${own}/${relative(own, outside)}/secret`, 'r'),
  'node:sqlite': async ({ outside }) => {
    const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(join(outside, 'base')).exec('create table if not exists t(a)');
  },

  'worker thread': async () => {
    const { Worker } = await import('node:worker_threads');
    return opened(new Worker('0', { eval: true }), 'online');
  },
  'child process': async () => (await module('child_process')).execFileSync(process.execPath, ['-e', '0']),
  'child process without a permission model': async () =>
    (await module('child_process')).spawnSync(process.execPath, ['-e', '0'], { env: { NODE_OPTIONS: '' } }).pid ||
    Promise.reject(new Error('not started')),
  'native addon': ({ addon }) => process.dlopen({ exports: {} }, addon),
  'internal binding': () => process.binding('spawn_sync'),
  inspector: async () => {
    const inspector = await module('inspector');
    inspector.open(0, '127.0.0.1');
    inspector.close();
  },
  'inspector session': async () => {
    const inspector = await module('inspector');
    const session = new inspector.Session();
    session.connect();
    session.disconnect();
  },
  WASI: async ({ outside }) => {
    const { WASI } = await import('node:wasi');
    new WASI({ version: 'preview1', preopens: { '/': outside } });
  },
  FFI: async () => {
    const ffi = await import('node:ffi');
    ffi.dlopen('libc.so.6', { getpid: { result: 'i32', parameters: [] } });
  },
  report: ({ outside }) => process.report.writeReport(join(outside, 'report.json')),
  'heap snapshot': async ({ outside }) => (await module('v8')).writeHeapSnapshot(join(outside, 'heap.heapsnapshot')),

  'signal to the host': () => process.kill(process.ppid, 0),
  'debug signal to the host': () => {
    // Sent to a process that does not exist: whether it may be sent at all is what counts.
    try {
      process._debugProcess(2 ** 30);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  },
  'priority of the host': async () => {
    const os = await module('os');
    os.setPriority(process.ppid, os.getPriority(process.ppid));
  },
  'V8 flags': async ({ outside }) => {
    const v8 = await module('v8');
    v8.setFlagsFromString('--trace-turbo');
    v8.setFlagsFromString(`--trace-turbo-path=${outside}`);
    let sum = 0;
    const hot = (factor) => {
      for (let index = 0; index < 10_000; index += 1) sum += factor * index;
    };
    for (let round = 0; round < 20_000; round += 1) hot(round);
    if (sum === 0) throw new Error('nothing happened');
  },
};

/** The result of each: `reached`, or the reason why not. */
export async function tryAll(target, names = Object.keys(attempts)) {
  const outcomes = {};
  for (const name of names) {
    try {
      await attempts[name](target);
      outcomes[name] = 'reached';
    } catch (error) {
      outcomes[name] = `${error?.code ?? ''} ${error?.message ?? error}`.trim().slice(0, 200) || 'refused';
    }
  }
  return outcomes;
}

export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: {
    id: 'fixture',
    async connect(settings, context) {
      return {
        server: { product: 'Hostile' },
        findings: [],
        async ping() {},
        async listTables() {
          const outcomes = await tryAll(JSON.parse(settings.host));
          return Object.entries(outcomes).map(([name, outcome]) => ({
            ref: { namespace: [name], name: outcome },
            kind: 'table',
          }));
        },
        /** Everything that this process received, as one text. */
        async describeTable(table) {
          const answer = await context.http.request({ method: 'GET', path: '/echo' });
          const body = await answer.text();
          const known = JSON.stringify([
            process.env,
            process.argv,
            process.execArgv,
            process.title,
            settings,
            Object.keys(context),
          ]);
          const text = [known, JSON.stringify(answer.headers), body, ...heard].join('\n');
          return {
            ref: table,
            kind: 'table',
            columns: [],
            key: [],
            paging: 'offset',
            readsFromEnd: false,
            notes: [],
            definition: { language: 'text', text },
          };
        },
        async readPage() {
          return { rowCount: 0, atEnd: true, droppedSorts: [], batch: new Uint8Array(2) };
        },
        async countRows() {
          return { rows: 0, exact: true };
        },
        async close() {},
      };
    },
  },
};

if (process.argv[2] === '--names') (await module('fs')).writeSync(1, JSON.stringify(Object.keys(attempts)));
if (process.argv[2] === '--try') {
  const names = process.argv[4] === undefined ? undefined : JSON.parse(process.argv[4]);
  const outcomes = await tryAll(JSON.parse(process.argv[3]), names);
  (await module('fs')).writeSync(1, JSON.stringify(outcomes));
  process.exit(0);
}
