// An operation of the management API, as the document has it.
import { type Operation, successStatus } from '../http/operation'
import { answersOf } from './answers'
import { type Book, describeCall, type Json, withExample, withSamples } from './describe'
import { nameAfter } from './schemas'
import { inProject } from './words'

type Described = Omit<Operation, 'handle'>

/** Describes an operation, under a tag. */
export function describeOperation(operation: Described, tag: string, { schemas, words }: Book): Json {
  const { id, scope } = operation
  const said = words.operations[inProject(id)] ?? {}
  const answers = answersOf(operation, schemas, nameAfter(inProject(id), 'Answer'))
  const described = {
    ...describeCall(operation, tag, schemas, said),
    description: [operation.description, ...notesOn(operation)].filter(Boolean).join('\n\n'),
    ...(scope && scope !== 'any' ? { 'x-required-scope': scope } : {}),
    ...securityOf(operation),
    responses: withExample(answers, successStatus(operation), said),
  }
  return withSamples(operation, described, schemas)
}

/** Who may call, in words. */
function notesOn({ scope, access, recentAuth }: Described): string[] {
  if (access === 'anybody') return ['Needs no credentials.']
  const keys =
    scope === null ? 'Not for personal API keys.' : scope === 'any' ? 'Any key.' : `Scope: \`${scope}\`.`
  if (!recentAuth) return [keys]
  const unless =
    recentAuth === true
      ? ''
      : ` Not when only these are sent: ${recentAuth.exceptFields.map((field) => `\`${field}\``).join(', ')}.`
  return [keys, `A session must have signed in within the last two hours.${unless}`]
}

/** Where an operation takes less than a key or a session. */
function securityOf({ scope, access }: Described): Json {
  if (access === 'anybody') return { security: [] }
  return scope === null ? { security: [{ session: [] }] } : {}
}
