import * as z from 'zod'
import { text } from '../http/fields'

export const MAX_EMAIL_LENGTH = 254

/** Matches what upstream accepts: a local part, and a domain with a top level of two letters or more, or localhost. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}|localhost)$/

/** An email address, which is trimmed and converted to lower case. */
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

/** A name without links, because invites and lists show it. */
export const personName = (options: { max: number; blank?: boolean }) =>
  text(options).refine((value) => !/:\/\/|\bwww\./i.test(value), {
    error: 'Names must not contain links.',
  })
