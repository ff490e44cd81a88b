// An operation of the management API in the OpenAPI document.
import { type Operation, successStatus } from '../http/operation'
import { responsesOf } from './responses'
import { type Context, describeCall, type Json, withExample, withSamples } from './describe'
import { nameAfter } from './schemas'
import { inProject } from './collect'

type Declared = Omit<Operation, 'handle'>

export function describeOperation(operation: Declared, tag: string, { schemas, docs }: Context): Json {
  const { id, scope } = operation
  const own = docs.operations[inProject(id)] ?? {}
  const documented = responsesOf(operation, schemas, nameAfter(inProject(id), 'Response'), own)
  const described = {
    ...describeCall(operation, tag, schemas, own),
    description: [operation.description, ...notesOn(operation)].filter(Boolean).join('\n\n'),
    ...(scope && scope !== 'any' ? { 'x-required-scope': scope } : {}),
    ...securityOf(operation),
    responses: withExample(documented, successStatus(operation), own, schemas),
  }
  return withSamples(operation, described, schemas, own.sample)
}

/** Sentences on access. */
function notesOn({ scope, access, recentAuth }: Declared): string[] {
  if (access === 'public') return ['No credentials needed.']
  const keys =
    scope === null ? 'Sessions only, no API keys.' : scope === 'any' ? 'Any key.' : `Scope: \`${scope}\`.`
  if (!recentAuth) return [keys]
  const unless =
    recentAuth === true
      ? ''
      : ` Not required when the body has only these: ${recentAuth.exceptFields.map((field) => `\`${field}\``).join(', ')}.`
  return [keys, `A session must be at most two hours old.${unless}`]
}

/** Differs from the default where not both a key and a session are accepted. */
function securityOf({ scope, access }: Declared): Json {
  if (access === 'public') return { security: [] }
  return scope === null ? { security: [{ session: [] }] } : {}
}
