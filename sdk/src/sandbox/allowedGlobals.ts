import type { AllowedNames } from './allowedNames.ts';
import { names } from './allowedNames.ts';

/** The globals of a driver's process. */
export const ALLOWED_GLOBALS: readonly AllowedNames[] = [
  {
    names: names(`
      Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp Proxy Reflect JSON Math Intl Temporal
      parseFloat parseInt isFinite isNaN Infinity NaN undefined globalThis eval
      decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
      Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
      Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator DisposableStack AsyncDisposableStack
      ArrayBuffer SharedArrayBuffer Atomics DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
      Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array
    `),
    reason: 'The language itself.',
  },
  {
    names: ['WebAssembly'],
    reason: 'Computes, and reaches nothing that is not handed to it. Loading from an address is removed.',
  },
  { names: ['global', 'Buffer'], reason: 'Most libraries for Node use them.' },
  {
    names: names('setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask'),
    reason: 'Timers.',
  },
  {
    names: names('AbortController AbortSignal Event EventTarget CustomEvent DOMException QuotaExceededError'),
    reason: 'Every call of the contract takes an AbortSignal.',
  },
  {
    names: names('URL URLSearchParams URLPattern TextEncoder TextDecoder atob btoa structuredClone Blob File'),
    reason: 'Text, addresses and copies of values, in memory.',
  },
  {
    names: names(`
      ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController
      ReadableStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter
      TransformStream TransformStreamDefaultController ByteLengthQueuingStrategy CountQueuingStrategy
      TextEncoderStream TextDecoderStream CompressionStream DecompressionStream
    `),
    reason: 'Web streams, in memory.',
  },
  { names: names('crypto Crypto CryptoKey SubtleCrypto'), reason: 'Random numbers, hashes and ciphers.' },
  { names: ['process'], reason: 'An object with the few properties listed below.', replaced: true },
  { names: ['console'], reason: 'Writes warnings and errors to the log of the driver.', replaced: true },
  { names: ['performance'], reason: 'Measures time: now() and timeOrigin.', replaced: true },
  {
    names: names('fetch FormData Headers Request Response WebSocket MessageEvent CloseEvent ErrorEvent'),
    reason: 'Connections to any address.',
    grant: 'network',
  },
  {
    names: ['Symbol(undici.globalDispatcher.1)', 'Symbol(undici.globalDispatcher.2)'],
    reason: 'What sends the requests of fetch. Node does not let anybody remove it.',
    grant: 'network',
  },
];

/** The properties of `process` in a driver's process. */
export const ALLOWED_PROCESS: readonly AllowedNames[] = [
  {
    names: names('version versions platform arch release features'),
    reason: 'Libraries choose their code by the version of Node and the platform.',
    replaced: true,
  },
  { names: names('env argv execArgv'), reason: 'Empty. Libraries read options from them.', replaced: true },
  { names: ['pid'], reason: 'Libraries mix it into identifiers. No signal can be sent to it.', replaced: true },
  { names: ['cwd'], reason: 'The folder of the driver, which import.meta names as well.', replaced: true },
  { names: ['title'], reason: 'A plain string. A change is not seen outside.', replaced: true },
  { names: names('nextTick hrtime'), reason: 'Order and measure work.', replaced: true },
  { names: ['exit'], reason: "Ends this driver's process and no other.", replaced: true },
  {
    names: names('emitWarning stdout stderr'),
    reason: 'Write to the log of the driver (stdout writes nothing).',
    replaced: true,
  },
  {
    names: names(`
      on once off emit addListener removeListener removeAllListeners prependListener prependOnceListener listeners rawListeners
      listenerCount eventNames setMaxListeners getMaxListeners
    `),
    reason: 'Libraries register listeners. No event ever comes: no signal, no warning and no uncaught exception.',
    replaced: true,
  },
  { names: ['dlopen'], reason: 'Loads native code.', grant: 'addons' },
];
