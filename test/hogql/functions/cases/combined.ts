// -Array, -ForEach, -State and -Merge, which only ClickHouse has.
import type { QueryCase } from './case'

export const COMBINED: readonly QueryCase[] = [
  {
    sql: 'select sumForEach(x), avgForEach(x), maxForEach(x), countForEach(x), minForEach(x), sumForEachIf(x, length(x) > 1) from (select arrayJoin([[1,2],[3],[4,5,6]]) as x)',
    rows: [
      [
        [8, 7, 6],
        [8 / 3, 3.5, 6],
        [4, 5, 6],
        [3, 2, 1],
        [1, 2, 6],
        [5, 7, 6],
      ],
    ],
  },
  {
    sql: 'select sumArray(x), avgArray(x), maxArray(x), minArray(x), uniqArray(x), arraySort(groupArrayArray(x)), arraySort(groupUniqArrayArray(x)), countArray(x), sumArrayIf(x, length(x) > 1) from (select arrayJoin([[1,2],[3],[4,5,6],[]]) as x)',
    rows: [[21, 3.5, 6, 1, 6, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], 6, 18]],
  },
  {
    sql: 'select sumMerge(s), countMerge(c), avgMerge(a), uniqMerge(u), maxMerge(m), arraySort(groupUniqArrayMerge(g)), countIfMerge(i) from (select number % 2 as k, sumState(number) as s, countState() as c, avgState(number) as a, uniqState(number % 3) as u, maxState(number) as m, groupUniqArrayState(number % 3) as g, countIfState(number > 2) as i from numbers(6) group by k)',
    rows: [[15, 6, 2.5, 3, 5, [0, 1, 2], 3]],
  },
  {
    sql: "select argMinMerge(a), argMaxMerge(b), argMaxMerge(c), argMaxMerge(d), argMinMergeIf(a, k = 1) from (select number % 2 as k, argMinState(toString(number), number) as a, argMaxState(number, toDateTime('2026-01-01') + toIntervalDay(number)) as b, argMaxState(if(number > 3, null, number), number) as c, argMaxState(number, toString(number)) as d from numbers(6) group by k)",
    rows: [['0', 5, 3, 5, '1']],
  },
]
