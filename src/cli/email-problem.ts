import { email } from '../account/identity-fields'

/** Returns a sentence when a text is not the address of a user. */
export const emailProblem = (text: string): string[] =>
  email().safeParse(text).success ? [] : [`${JSON.stringify(text)} is not an e-mail address.`]
