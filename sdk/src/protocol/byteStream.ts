/** The part of Node's `Duplex` that the wire needs. */
export interface ByteStream {
  readonly writableLength: number;
  readonly destroyed: boolean;
  write(bytes: Uint8Array): boolean;
  cork(): void;
  uncork(): void;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'drain' | 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}
