import * as z from 'zod'
import { text } from '../http/fields'

export const MAX_EMAIL_LENGTH = 254

/** Matches what upstream accepts: a local part, and a domain with a top level of two letters or more, or localhost. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}|localhost)$/

/** An email address, in the form of `normalEmail`. */
export const email = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? normalEmail(value) : value),
    z
      .string()
      .min(1)
      .max(MAX_EMAIL_LENGTH, { abort: true })
      .regex(ADDRESS, 'Enter a valid email address.')
      .meta({ format: 'email' }),
  )

/** Returns an address as it is stored. */
export const normalEmail = (address: string): string => asciiLower(address.trim())

/**
 * Converts A to Z to lower case. Other characters stay, so that a check for ASCII refuses them: `toLowerCase` makes an ASCII k of the Kelvin
 * sign, with which the address of another user could be written.
 */
export const asciiLower = (value: string): string => value.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase())

/** A name without links, because invites and lists show it. */
export const personName = (options: { max: number; blank?: boolean }) =>
  text(options).refine((value) => !/:\/\/|\bwww\./i.test(value), {
    error: 'Names must not contain links.',
  })
