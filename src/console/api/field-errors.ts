import { Problem } from './problem'

/** Divides an error into the places where a form shows it: beside the rejected field, if it has that, or else below. */
export function fieldErrors<Name extends string>(error: Error | null, fields: readonly Name[]) {
  const problem = error instanceof Problem ? error : null
  const attr = problem?.attr ?? ''
  const field = fields.find((name) => attr === name || attr.startsWith(`${name}__`))
  return {
    errorOf: (name: Name): string | null => (problem && name === field ? wordsOf(problem) : null),
    otherError: field === undefined ? error : null,
  }
}

/** The message beside a field, where that of the API speaks of JSON. */
const wordsOf = ({ code, message }: Problem): string => WORDS[code ?? ''] ?? message

const WORDS: Readonly<Record<string, string>> = {
  required: 'Enter a value.',
  blank: 'Enter a value.',
  empty: 'Choose at least one.',
}
