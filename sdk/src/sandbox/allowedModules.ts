import type { AllowedNames } from './allowedNames.ts';
import { names } from './allowedNames.ts';

const PURE = 'Computes in memory.';

const READING: AllowedNames = {
  names: names(`
    access accessSync close closeSync createReadStream existsSync fstat fstatSync lstat lstatSync open openSync read readSync readFile
    readFileSync readdir readdirSync readv readvSync stat statSync constants promises Stats Dirent ReadStream
  `),
  reason: 'Reads the files that were chosen in the form, and the folder of the driver. Everything else is denied.',
};
const WRITING: AllowedNames = {
  names: names(`
    appendFile appendFileSync createWriteStream fdatasync fdatasyncSync fsync fsyncSync ftruncate ftruncateSync truncate truncateSync
    write writeSync writev writevSync writeFile writeFileSync WriteStream
  `),
  reason: 'Writes the files that were chosen in the form, where the manifest asks for readWrite.',
};
const ASSERT: AllowedNames = {
  names: names(`
    Assert AssertionError ok fail equal notEqual deepEqual notDeepEqual deepStrictEqual notDeepStrictEqual strictEqual notStrictEqual
    partialDeepStrictEqual match doesNotMatch throws rejects doesNotThrow doesNotReject ifError strict
  `),
  reason: PURE,
};
const PATH: AllowedNames = {
  names: names(`
    resolve normalize isAbsolute join relative toNamespacedPath dirname basename extname format parse matchesGlob sep delimiter win32
    posix _makeLong
  `),
  reason: 'Computes with text; asks no file.',
};

/**
 * The modules of Node that a driver can import, and their exports. A module without an entry can't be imported by any route; an export
 * without one is absent. Names are without `node:`; both forms work, but for those that Node itself has only with it.
 */
export const ALLOWED_MODULES: Readonly<Record<string, readonly AllowedNames[]>> = {
  assert: [ASSERT],
  'assert/strict': [ASSERT],
  async_hooks: [{ names: names('AsyncLocalStorage AsyncResource'), reason: 'Keeps values through asynchronous calls.' }],
  buffer: [
    { names: names('Buffer Blob File transcode isUtf8 isAscii kMaxLength kStringMaxLength constants btoa atob'), reason: PURE },
  ],
  console: [
    {
      names: names(
        'log info debug warn error trace dir dirxml assert table group groupCollapsed groupEnd count countReset time timeEnd timeLog',
      ),
      reason: 'The global console.',
      replaced: true,
    },
  ],
  crypto: [
    {
      names: names(`
        argon2 argon2Sync createCipheriv createDecipheriv createDiffieHellman createDiffieHellmanGroup createECDH createHash createHmac
        createPublicKey createSecretKey createSign createVerify diffieHellman getCiphers getCipherInfo getCurves getDiffieHellman getHashes
        hkdf hkdfSync pbkdf2 pbkdf2Sync generateKeyPair generateKeyPairSync generateKey generateKeySync privateDecrypt
        privateEncrypt publicDecrypt publicEncrypt randomBytes randomFill randomFillSync randomInt randomUUID scrypt scryptSync sign verify
        hash timingSafeEqual Cipheriv Decipheriv DiffieHellman DiffieHellmanGroup ECDH Hash Hmac KeyObject Sign Verify constants webcrypto
        subtle getRandomValues
      `),
      reason: 'Hashes, signatures and ciphers, which the wires of databases use.',
    },
  ],
  dns: [{ names: names('lookup promises'), reason: 'Libraries import it when they load. Every call fails.', replaced: true }],
  events: [
    {
      names: names(`
        EventEmitter once on addAbortListener getEventListeners getMaxListeners setMaxListeners listenerCount errorMonitor
        captureRejectionSymbol captureRejections defaultMaxListeners usingDomains init EventEmitterAsyncResource
        kMaxEventTargetListeners kMaxEventTargetListenersWarned
      `),
      reason: PURE,
    },
  ],
  fs: [READING, WRITING],
  'fs/promises': [
    { names: names('access lstat open readFile readdir stat constants'), reason: READING.reason },
    { names: names('appendFile truncate writeFile'), reason: WRITING.reason },
  ],
  module: [
    {
      names: names('createRequire isBuiltin builtinModules'),
      reason: 'Bundles of CommonJS libraries call createRequire. Its require gives the modules of this table and nothing else.',
      replaced: true,
    },
  ],
  net: [
    { names: names('isIP isIPv4 isIPv6'), reason: PURE },
    {
      names: names('Socket connect createConnection'),
      reason: 'Libraries import it when they load. Every call fails.',
      replaced: true,
    },
  ],
  os: [
    { names: names('EOL constants devNull'), reason: 'Constants.' },
    {
      names: names('arch endianness platform type hostname release'),
      reason: 'Libraries name their system. hostname() is always "localhost" and release() always empty.',
      replaced: true,
    },
  ],
  path: [PATH],
  'path/posix': [PATH],
  'path/win32': [PATH],
  perf_hooks: [{ names: ['performance'], reason: 'The global performance.', replaced: true }],
  process: [],
  punycode: [{ names: names('version ucs2 decode encode toASCII toUnicode'), reason: PURE }],
  querystring: [{ names: names('unescapeBuffer unescape escape stringify encode parse decode'), reason: PURE }],
  stream: [
    {
      names: names(`
        Stream Readable Writable Duplex Transform PassThrough duplexPair pipeline finished addAbortSignal destroy compose isDestroyed
        isDisturbed isErrored isReadable isWritable setDefaultHighWaterMark getDefaultHighWaterMark promises _isArrayBufferView
        _isUint8Array _uint8ArrayToBuffer
      `),
      reason: PURE,
    },
  ],
  'stream/consumers': [{ names: names('arrayBuffer blob buffer bytes json text'), reason: PURE }],
  'stream/promises': [{ names: names('finished pipeline'), reason: PURE }],
  'stream/web': [
    {
      names: names(`
        ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController
        ReadableStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter TransformStream
        TransformStreamDefaultController ByteLengthQueuingStrategy CountQueuingStrategy TextEncoderStream TextDecoderStream
        CompressionStream DecompressionStream
      `),
      reason: PURE,
    },
  ],
  string_decoder: [{ names: ['StringDecoder'], reason: PURE }],
  timers: [
    {
      names: names('setTimeout clearTimeout setImmediate clearImmediate setInterval clearInterval promises'),
      reason: 'The global timers.',
    },
  ],
  'timers/promises': [{ names: names('setTimeout setImmediate setInterval scheduler'), reason: 'Timers.' }],
  tls: [
    { names: names('DEFAULT_MIN_VERSION DEFAULT_MAX_VERSION'), reason: 'Constants.' },
    {
      names: names('TLSSocket connect createSecureContext checkServerIdentity'),
      reason: 'Libraries import it when they load. Every call fails.',
      replaced: true,
    },
  ],
  url: [
    {
      names: names(`
        Url URL URLPattern URLSearchParams parse resolve resolveObject format domainToASCII domainToUnicode pathToFileURL fileURLToPath
        fileURLToPathBuffer urlToHttpOptions
      `),
      reason: PURE,
    },
  ],
  util: [
    {
      names: names(`
        _extend callbackify debug debuglog deprecate format formatWithOptions styleText getSystemErrorMap getSystemErrorName
        getSystemErrorMessage inherits inspect isArray isDeepStrictEqual promisify stripVTControlCharacters toUSVString aborted types
        parseArgs TextDecoder TextEncoder MIMEType MIMEParams diff
      `),
      reason: PURE,
    },
  ],
  'util/types': [
    {
      names: names(`
        isExternal isDate isArgumentsObject isBigIntObject isBooleanObject isNumberObject isStringObject isSymbolObject isBoxedPrimitive
        isNativeError isRegExp isAsyncFunction isGeneratorFunction isGeneratorObject isPromise isMap isSet isMapIterator isSetIterator
        isWeakMap isWeakSet isArrayBuffer isDataView isSharedArrayBuffer isProxy isModuleNamespaceObject isAnyArrayBuffer isCryptoKey
        isKeyObject isEventTarget isArrayBufferView isTypedArray isUint8Array isUint8ClampedArray isUint16Array isUint32Array isInt8Array
        isInt16Array isInt32Array isFloat16Array isFloat32Array isFloat64Array isBigInt64Array isBigUint64Array
      `),
      reason: PURE,
    },
  ],
  zlib: [
    {
      names: names(`
        crc32 constants codes Deflate Inflate Gzip Gunzip DeflateRaw InflateRaw Unzip BrotliCompress BrotliDecompress ZstdCompress
        ZstdDecompress deflate deflateSync gzip gzipSync deflateRaw deflateRawSync unzip unzipSync inflate inflateSync gunzip gunzipSync
        inflateRaw inflateRawSync brotliCompress brotliCompressSync brotliDecompress brotliDecompressSync zstdCompress
        zstdCompressSync zstdDecompress zstdDecompressSync createDeflate createInflate createDeflateRaw createInflateRaw createGzip
        createGunzip createUnzip createBrotliCompress createBrotliDecompress createZstdCompress createZstdDecompress
      `),
      reason: PURE,
    },
  ],
};

const network = (text: string): AllowedNames => ({ names: names(text), reason: 'Connections to any address.', grant: 'network' });
const files = (text: string): AllowedNames => ({ names: names(text), reason: 'Every file of the person.', grant: 'files' });

/** The additions of a wider grant to the table above: modules, and exports of modules that every driver has. */
export const GRANTED_MODULES: Readonly<Record<string, readonly AllowedNames[]>> = {
  net: [
    network(`
      connect createConnection createServer Socket Server Stream BlockList SocketAddress isIP isIPv4 isIPv6 getDefaultAutoSelectFamily
      setDefaultAutoSelectFamily getDefaultAutoSelectFamilyAttemptTimeout setDefaultAutoSelectFamilyAttemptTimeout
    `),
  ],
  tls: [
    network(`
      CLIENT_RENEG_LIMIT CLIENT_RENEG_WINDOW DEFAULT_CIPHERS DEFAULT_ECDH_CURVE DEFAULT_MIN_VERSION DEFAULT_MAX_VERSION getCiphers
      rootCertificates checkServerIdentity createSecureContext SecureContext TLSSocket Server createServer connect
    `),
  ],
  dns: [
    network(`
      lookup lookupService Resolver getDefaultResultOrder setDefaultResultOrder setServers getServers ADDRCONFIG ALL V4MAPPED NODATA
      FORMERR SERVFAIL NOTFOUND NOTIMP REFUSED BADQUERY BADNAME BADFAMILY BADRESP CONNREFUSED TIMEOUT EOF FILE NOMEM DESTRUCTION BADSTR
      BADFLAGS NONAME BADHINTS NOTINITIALIZED LOADIPHLPAPI ADDRGETNETWORKPARAMS CANCELLED resolve resolve4 resolve6 resolveAny
      resolveCaa resolveCname resolveMx resolveNaptr resolveNs resolvePtr resolveSoa resolveSrv resolveTlsa resolveTxt reverse promises
    `),
  ],
  'dns/promises': [
    network(`
      lookup lookupService Resolver getDefaultResultOrder setDefaultResultOrder setServers getServers resolve resolve4 resolve6 resolveAny
      resolveCaa resolveCname resolveMx resolveNaptr resolveNs resolvePtr resolveSoa resolveSrv resolveTlsa resolveTxt reverse
    `),
  ],
  dgram: [network('createSocket Socket')],
  http: [
    network(`
      METHODS STATUS_CODES Agent ClientRequest IncomingMessage OutgoingMessage Server ServerResponse createServer validateHeaderName
      validateHeaderValue get request maxHeaderSize globalAgent
    `),
  ],
  https: [network('Agent globalAgent Server createServer get request')],
  http2: [network('connect constants getDefaultSettings getPackedSettings getUnpackedSettings sensitiveHeaders')],
  sqlite: [
    {
      names: names('DatabaseSync StatementSync Session constants backup'),
      reason: 'Opens every database file of the person.',
      grant: 'sqlite',
    },
  ],
  fs: [
    files(`
      exists copyFile copyFileSync cp cpSync chmod chmodSync chown chownSync fchmod fchmodSync fchown fchownSync futimes futimesSync glob
      globSync lchmod lchmodSync lchown lchownSync link linkSync lutimes lutimesSync mkdir mkdirSync mkdtemp mkdtempSync
      mkdtempDisposableSync opendir opendirSync openAsBlob readlink readlinkSync realpath realpathSync rename renameSync rm rmSync
      rmdir rmdirSync statfs statfsSync symlink symlinkSync unlink unlinkSync utimes utimesSync watch watchFile unwatchFile Dir
    `),
  ],
  'fs/promises': [
    files(`
      copyFile cp chmod chown glob lchmod lchown link lutimes mkdir mkdtemp mkdtempDisposable opendir readlink realpath rename rm rmdir
      statfs symlink unlink utimes watch
    `),
  ],
};
