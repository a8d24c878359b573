import type { Server } from 'node:http';

export const SAMPLE_KEY: string;
export function startSampleServer(port: number): Promise<Server>;
