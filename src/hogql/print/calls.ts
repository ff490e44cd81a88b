// What functions of the catalogue are told about a call, whatever the engine.
import { functionNamed } from '../functions'
import type { FunctionSpec, Site } from '../functions/spec'
import type { Context, Node } from './dialect'

export function specOf(name: string): FunctionSpec {
  const spec = functionNamed(name)
  if (!spec) throw new Error(`the catalogue has no function ${name}`)
  return spec
}

export const commonSite = (
  { args, type }: Pick<Node<'call'>, 'args' | 'type'>,
  { parameters }: Pick<Context, 'parameters'>,
): Omit<Site, 'zone'> => ({
  types: args.map((arg) => arg.type),
  type,
  constants: args.map((arg) => (arg.node === 'literal' ? arg.value : undefined)),
  bind: (value) => parameters.bind(value),
})
