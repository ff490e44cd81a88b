// What maps must be made of.
import { expect, it } from 'vitest'
import { refusal } from './resolving'

it.each([
  ["select map('a')", "invalid_query: 'map' takes keys and values in turn, and got 1 arguments @ map('a')"],
  [
    "select map('a', 1, 2, 3)",
    "type_mismatch: There is no common type for the items of an array: a string, an integer. Convert with toString(…) or toFloat(…) @ map('a', 1, 2, 3)",
  ],
  [
    "select map('a', 1, 'b', 'x')",
    "type_mismatch: There is no common type for the items of an array: an integer, a string. Convert with toString(…) or toFloat(…) @ map('a', 1, 'b', 'x')",
  ],
  [
    "select map('a', 1)[1]",
    "type_mismatch: The keys of the map are a string, and not an integer @ map('a', 1)[1]",
  ],
  ["select mapKeys(['a'])", "type_mismatch: 'mapKeys' takes a map, and got an array @ mapKeys(['a'])"],
  [
    "select mapContains('a', 'a')",
    "type_mismatch: 'mapContains' takes a map, and got a string @ mapContains('a', 'a')",
  ],
  [
    "select mapFromArrays(['a'], [1, 2])",
    "invalid_query: 'mapFromArrays' takes as many values as keys: 1 and 2 @ mapFromArrays(['a'], [1, 2])",
  ],
  [
    "select mapFromArrays(['a'], 1)",
    "type_mismatch: 'mapFromArrays' takes two arrays, and got an integer @ mapFromArrays(['a'], 1)",
  ],
  [
    "select mapFilter(k -> k, map('a', 1))",
    "invalid_query: 'mapFilter' takes a lambda and a map: mapFilter((k, v) -> …, map) @ mapFilter(k -> k, map('a', 1))",
  ],
  [
    "select mapApply((k, v) -> v, map('a', 1))",
    "type_mismatch: A map is made of pairs of a key and a value, not of an array @ mapApply((k, v) -> v, map('a', 1))",
  ],
  [
    "select mapAdd(map('a', 1), map('a', 2))",
    "unknown_function: Unsupported function call 'mapAdd(...)': use mapFromArrays(…) with sumMap(…), or with arrays of the keys and values of both. @ mapAdd(map('a', 1), map('a', 2))",
  ],
])('refuses %s', async (sql, expected) => {
  expect(await refusal(sql)).toBe(expected)
})
