import type { Server } from 'node:http';

export function startSampleServer(port: number): Promise<Server>;
