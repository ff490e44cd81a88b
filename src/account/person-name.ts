// Names of people as bodies carry them: what an invite or a sign-up calls somebody stands in their profile afterwards.
import { text } from '../http/fields'

/**
 * A name, trimmed. It shows up in invites and lists, where a link would be bait.
 * @param options.blank whether it may be empty.
 */
export const personName = (options: { max: number; blank?: boolean }) =>
  text(options).refine((value) => !/:\/\/|\bwww\./i.test(value), {
    error: 'Names must not contain links.',
  })
