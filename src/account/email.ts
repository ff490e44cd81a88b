// Addresses as bodies carry them: whom an invite names may be called so in their profile, and the other way round.
import * as z from 'zod'

export const MAX_EMAIL_LENGTH = 254

/** As upstream: a name, and a domain with a top level of two letters or more, or this machine. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}|localhost)$/

/** An address, trimmed, in lower case. */
export const email = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z
      .string()
      .min(1)
      .max(MAX_EMAIL_LENGTH, { abort: true })
      .regex(ADDRESS, 'Enter a valid email address.')
      .meta({ format: 'email' }),
  )
