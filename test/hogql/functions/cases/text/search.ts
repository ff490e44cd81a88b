// Looking for texts in texts: calls, and what ClickHouse gives.
import type { CallCase } from '../case'

export const SEARCH: readonly CallCase[] = [
  ["position('hello','l')", 3],
  ["position('hello','')", 1],
  ["position('hello','z')", 0],
  ["locate('hello','l')", 3],
  ["position('héllo','l')", 3],
  ["positionCaseInsensitive('abC','c')", 3],
  ["position('abcabc','b',3)", 5],
  ["position('abcabc','z',3)", 0],
  ["startsWith('abc','')", 1],
  ["startsWith('abc','ab')", 1],
  ["startsWith('abc','b')", 0],
  ["endsWith('abc','c')", 1],
  ["endsWith('abc','')", 1],
  ["endsWith('abc','abcd')", 0],
  ["endsWith('é','é')", 1],
  ["empty('')", 1],
  ["notEmpty('a')", 1],
  ['empty([])', 1],
  ['notEmpty([1])', 1],
  ['empty([1])', 0],
  ["countSubstrings('aaa','a')", 3],
  ["countSubstrings('aaa','aa')", 1],
  ["countSubstrings('abc','')", 0],
]
