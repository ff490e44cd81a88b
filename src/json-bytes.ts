import { Buffer } from 'node:buffer'

/** Returns the bytes of a value as JSON text. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
