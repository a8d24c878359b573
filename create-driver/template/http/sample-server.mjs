import { createServer } from 'node:http';

// A server to try the driver with: npm run sample. Replace it by your own.

const tables = new Map([
  [
    'planets',
    [
      { id: 3, name: 'Earth', moons: 1 },
      { id: 1, name: 'Mercury', moons: 0 },
      { id: 4, name: 'Mars', moons: 2 },
      { id: 2, name: 'Venus', moons: 0 },
      { id: 9, name: 'Pluto "the ninth"', moons: 5 },
      { id: 10, name: null, moons: null },
      { id: 11, name: "Planet o'Nine" },
    ],
  ],
  [
    'moons',
    [
      { id: 1, name: 'Moon', planet: 3 },
      { id: 2, name: 'Phobos', planet: 4 },
      { id: 3, name: 'Deimos', planet: 4 },
    ],
  ],
]);

/** @param {number} port - 0 for a free one */
export async function startSampleServer(port) {
  const server = createServer((request, response) => {
    const [, base, name] = (request.url ?? '').split('/');
    const value = base !== 'tables' ? undefined : name === undefined ? [...tables.keys()] : tables.get(decodeURIComponent(name));
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value ?? { message: 'There is nothing here.' }));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  return server;
}

if (process.argv[1] === import.meta.filename) {
  await startSampleServer(8787);
  console.log('http://127.0.0.1:8787/tables');
}
