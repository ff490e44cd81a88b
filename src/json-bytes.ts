import { Buffer } from 'node:buffer'

/** Bytes of a value as JSON text. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
