import { isObject, type JsonObject } from '../../json'

export interface PropertyChanges {
  set: JsonObject
  /** Values that are set only where the property does not exist. */
  setOnce: JsonObject
  unset: readonly string[]
}

/** Returns the changes in `$set`, `$set_once` and `$unset` of an event, without malformed ones. */
export const changesIn = ({ $set, $set_once, $unset }: JsonObject): PropertyChanges => ({
  set: isObject($set) ? $set : {},
  setOnce: isObject($set_once) ? $set_once : {},
  unset: Array.isArray($unset)
    ? $unset.filter(isName).map(String)
    : isObject($unset)
      ? Object.keys($unset)
      : [],
})

const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number'

export const hasPropertyChanges = ({ set, setOnce, unset }: PropertyChanges): boolean =>
  unset.length > 0 || Object.keys(set).length > 0 || Object.keys(setOnce).length > 0
