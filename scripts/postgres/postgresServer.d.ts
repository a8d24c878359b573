/** The npm package with the server's own binaries for this platform. */
export declare const POSTGRES_PACKAGE: string;
/** The folder with `bin`, `lib` and `share`; undefined where the package of this platform isn't installed. */
export declare function postgresFolder(): string | undefined;
export interface PostgresServerOptions {
    readonly user: string;
    readonly password: string;
    /** PEM files of the server's certificate and key. */
    readonly tls?: {
        readonly certificate: string;
        readonly key: string;
        readonly authority: string;
    };
    /** Lines of postgresql.conf. */
    readonly settings?: readonly string[];
    /** Lines of pg_hba.conf before the usual ones. */
    readonly access?: readonly string[];
}
/** A PostgreSQL server with a cluster in a folder of its own, on a port of 127.0.0.1. */
export declare class PostgresServer {
    #private;
    port: number;
    /** @param folder - exists; as root, one that every user can reach */
    constructor(folder: string, options: PostgresServerOptions);
    /** Puts the binaries into the folder, and makes a cluster where there is none. @param native - as {@link postgresFolder} returns it */
    prepare(native: string): void;
    /** @throws Error with the server's own words where it does not start */
    start(): Promise<void>;
    /** Ends and starts it again, as an administrator does. */
    restart(mode?: 'fast' | 'immediate'): Promise<void>;
    /** Ends the server that a killed process left running with this cluster. Called after {@link start} said that its lock file is there. */
    endOther(): void;
    /** Whether it runs: it may have been killed. */
    get isRunning(): boolean;
    /** Ends it: `fast` breaks off what runs, `immediate` writes nothing more. */
    stop(mode?: 'fast' | 'immediate'): Promise<void>;
}
