/**
 * The request that asks a driver's process whether its event loop still runs. The program in the process answers it with an empty value,
 * without a session and without the driver, so a driver that blocks its process cannot answer.
 */
export const ALIVE_METHOD = 'process.alive';
