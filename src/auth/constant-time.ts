import { Buffer } from 'node:buffer'
import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(Buffer.from(text)).digest()

/** Compares digests, which have equal length. */
export const equalsInConstantTime = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
