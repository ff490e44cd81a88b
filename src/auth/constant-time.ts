// Comparing secrets without telling how far they agree.
import { Buffer } from 'node:buffer'
import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(Buffer.from(text)).digest()

/** Whether two texts are the same. Takes as long whichever byte differs: what is compared are digests of equal length. */
export const equalsInConstantTime = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
