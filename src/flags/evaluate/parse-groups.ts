import { invalid } from '../../errors'
import { notGroupKey, typeWithoutKey } from '../../evaluation/groups'
import { parseExactly } from '../../http/body/exact-integers'
import { isObject, type JsonObject } from '../../json'

/** Parses the parameter `groups`: group keys by name of the group type, as JSON. @throws 400, attr `groups` */
export function parseGroups(sent: string): JsonObject {
  if (sent.trim() === '') return {}
  let groups: unknown
  try {
    groups = parseExactly(sent)
  } catch {
    throw invalid('groups', 'Invalid JSON in groups parameter')
  }
  if (!isObject(groups)) throw invalid('groups', 'groups must be a JSON object')
  const type = typeWithoutKey(groups)
  if (type !== undefined) throw invalid('groups', notGroupKey(type))
  return groups
}
