// An operation of the management API, as the document has it.
import { type Operation, successStatus } from '../http/operation'
import { answersOf } from './answers'
import { type Book, describeCall, type Json, withExample, withSamples } from './describe'
import { nameAfter } from './schemas'
import { inProject } from './collect'

type Described = Omit<Operation, 'handle'>

/** Describes an operation, under a tag. */
export function describeOperation(operation: Described, tag: string, { schemas, docs }: Book): Json {
  const { id, scope } = operation
  const own = docs.operations[inProject(id)] ?? {}
  const answers = answersOf(operation, schemas, nameAfter(inProject(id), 'Response'), own)
  const described = {
    ...describeCall(operation, tag, schemas, own),
    description: [operation.description, ...notesOn(operation)].filter(Boolean).join('\n\n'),
    ...(scope && scope !== 'any' ? { 'x-required-scope': scope } : {}),
    ...securityOf(operation),
    responses: withExample(answers, successStatus(operation), own, schemas),
  }
  return withSamples(operation, described, schemas, own.sample)
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
