// Replaces the program of a driver's process: nothing was removed from it before the attack. It writes the result of each attempt in lines of
// standard error. The names, and the targets, are in a file in the driver's folder, or among the files that are delivered.

import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { attempts } from './attempts.mjs';
import { deadlyAttempts, rawAttempts } from './rawAttempts.mjs';

// Attempts whose first form takes an error for success: they are judged by what came of them.
const byResult = {
  async 'TLS connection'({ port }) {
    const { connect } = await import('node:tls');
    const socket = connect({ port, host: '127.0.0.1' });
    const error = await new Promise((resolve) => socket.once('error', resolve));
    if (['ERR_ACCESS_DENIED', 'EPERM', 'EACCES'].includes(error.code)) throw error;
  },
  async 'name query'({ udpPort }) {
    const { Resolver } = await import('node:dns/promises');
    const resolver = new Resolver({ timeout: 200, tries: 1 });
    resolver.setServers([`127.0.0.1:${udpPort}`]);
    const error = await resolver.resolve4('leak.example').catch((reason) => reason);
    // The server never answers: the time-out shows that it was asked.
    if (error.code !== 'ETIMEOUT') throw error;
  },
  async inspector() {
    const inspector = await import('node:inspector');
    inspector.open(0, '127.0.0.1');
    if (inspector.url() === undefined) throw new Error('not listening');
    inspector.close();
  },
  report({ outside }) {
    process.report.writeReport(join(outside, 'report.json'));
    fs.statSync(join(outside, 'report.json'));
  },
};

const all = { ...attempts, ...rawAttempts, ...deadlyAttempts, ...byResult };
/** The text of one of the files that the host delivers. */
function delivered(name) {
  const exactly = (length) => {
    const bytes = Buffer.alloc(length);
    for (let filled = 0; filled < length;) filled += fs.readSync(3, bytes, filled, length - filled, null);
    return bytes;
  };
  const { files } = JSON.parse(exactly(exactly(4).readUInt32BE()).toString());
  return files
    .map(({ path, bytes }) => [path, exactly(bytes)])
    .find(([path]) => path === name)[1]
    .toString();
}

const { names, target } = JSON.parse(
  process.argv[2] === '--delivered'
    ? delivered('target.json')
    : fs.readFileSync(join(dirname(process.argv[2]), 'target.json'), 'utf8'),
);
for (const name of names) {
  let outcome = 'reached';
  try {
    await all[name](target);
  } catch (error) {
    outcome = `${error?.code ?? ''} ${error?.message ?? error}`.trim().slice(0, 200) || 'refused';
  }
  fs.writeSync(2, `OUTCOME ${JSON.stringify([name, outcome])}\n`);
}
fs.writeSync(2, 'DONE\n');
process.exit(0);
