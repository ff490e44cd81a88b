// Aggregates: whole queries, and the rows that ClickHouse gives.
import type { QueryCase } from './case'

export const AGGREGATES: readonly QueryCase[] = [
  {
    sql: 'select quantile(0.5)(x), quantileExact(0.5)(x), quantileExact(0.9)(x), quantile(0.9)(x), quantiles(0.1,0.9)(x), median(x), quantileExactInclusive(0.9)(x), medianExact(x), quantileExact(1)(x), quantileExact(0)(x), quantilesExact(0.5,0.25)(x), count() from (select arrayJoin([1,2,3,4,10]) as x)',
    rows: [
      [3, 3, 10, 7.6000000000000005, [1.4, 7.6000000000000005], 3, 7.599999999999998, 3, 10, 1, [3, 2], 5],
    ],
  },
  {
    sql: 'select number % 3 as k, median(number), quantileIf(0.9)(number, number > 5), count(), sumIf(number, number > 5), argMax(number, number * 1.5), groupArray(number) from numbers(20) group by k order by k',
    rows: [
      [0, 9, 16.799999999999997, 7, 60, 18, [0, 3, 6, 9, 12, 15, 18]],
      [1, 10, 17.8, 7, 65, 19, [1, 4, 7, 10, 13, 16, 19]],
      [2, 9.5, 16.1, 6, 50, 17, [2, 5, 8, 11, 14, 17]],
    ],
  },
  {
    sql: 'select varSamp(x), stddevSamp(x), varPop(x), stddevPop(x), covarPop(x,y), covarSamp(x,y), corr(x,y), avgWeighted(x,y) from (select number as x, number * number + 1 as y from numbers(6))',
    rows: [
      [
        3.5, 1.8708286933869707, 2.9166666666666665, 1.707825127659933, 14.583333333333334, 17.5,
        0.9598832852883321, 3.9344262295081966,
      ],
    ],
  },
  {
    sql: 'select varSamp(x), stddevSamp(x), varPop(x), corr(x,x) from (select 1 as x)',
    rows: [[null, null, 0, null]],
  },
  {
    sql: "select sum(x), avg(x), min(x), max(x), any(x), groupArray(x), uniq(x), median(x), argMax(x,x), topK(2)(x), stddevPop(x), groupUniqArray(x), count(x), boolOr(x = 1), boolAnd(x = 1), anyLast(x), quantiles(0.5)(x), argMax('a', x), argMin(x, x + 0.5), min('a'), groupConcat(x) from (select 1 as x) where 0",
    rows: [[0, null, 0, 0, 0, [], 0, null, 0, [], null, [], 0, 0, 0, 0, [null], '', 0, '', '']],
  },
  {
    sql: 'select sumIf(x, x > 5), avgIf(x, x > 5), countIf(x > 1), minIf(x, x > 1), maxIf(x, x > 9), uniqIf(x, x > 1), anyIf(x, x > 1) from (select arrayJoin([1,2]) as x)',
    rows: [[0, null, 1, 2, 0, 1, 2]],
  },
  {
    sql: 'select uniq(a,b), count(distinct a, b) from (select arrayJoin([(1,2),(3,4),(1,2)]) as t, t.1 as a, t.2 as b)',
    rows: [[2, 2]],
  },
  {
    sql: "select argMax(a,b), argMin(a,b), argMax(a, c), argMin(a, c), argMax(a, d), argMax(c, a) from (select number as a, 10 - number as b, toDateTime('2026-01-01') + toIntervalDay(number) as c, toString(number) as d from numbers(5))",
    rows: [[0, 4, 4, 0, 4, '2026-01-05T00:00:00Z']],
  },
  {
    sql: 'select number % 3 as k, count() as c from numbers(10) group by k having c > 3 order by k',
    rows: [[0, 4]],
  },
  {
    sql: "select round(count() / 3, 2), round(avg(number), 1), greatest(count(), 1), concat('n', count()), toString(sum(number)), if(count() > 2, 'a', 'b'), arraySum(groupArray(number)), arrayStringConcat(arrayMap(x -> toString(x), arraySort(groupArray(number))), ','), round(sum(number) / count(), 2), length(groupArray(number)), splitByChar(',', toString(max(number))) from numbers(5)",
    rows: [[1.67, 2, 5, 'n5', '10', 'a', 10, '0,1,2,3,4', 2, 5, ['4']]],
  },
  {
    sql: 'select quantileExactLow(0.5)(x), medianExactLow(x), medianExactHigh(x), quantileExactHigh(0.9)(x), quantileExactLow(0.9)(x), uniqTheta(x), groupBitmap(x) from (select arrayJoin([1,2,3,10]) as x)',
    rows: [[2, 2, 3, 10, 10, 4, 4]],
  },
  {
    sql: 'select medianExactLow(x), medianExactLowIf(x, x < 0), groupBitmapIf(x, x > 1) from (select arrayJoin([3,1,2]) as x)',
    rows: [[2, 0, 2]],
  },
  {
    sql: 'select json_agg(x), json_agg(toString(x)) from (select arrayJoin([3,1,2]) as x)',
    rows: [['[3,1,2]', '["3","1","2"]']],
  },
  {
    sql: "select uniqHLL12(number % 3), uniqCombined64(number % 3), quantileTDigest(0.5)(number), groupConcat(toString(number), '-'), anyLast(number % 1), uniq(number, number % 2) from numbers(5)",
    rows: [[3, 3, 2, '0-1-2-3-4', 0, 5]],
  },
  {
    sql: 'select topK(1)(x), arraySort(groupUniqArray(x)), groupArray(2)(x), length(groupUniqArray(1)(x)), count(distinct x), sum(distinct x), avg(distinct x), uniqExact(x), uniqCombined(x), boolOr(x > 2), boolAnd(x > 2) from (select arrayJoin([1,2,2,3]) as x)',
    rows: [[[2], [1, 2, 3], [1, 2], 1, 3, 6, 2, 3, 3, 1, 0]],
  },
  {
    sql: 'select groupBitOr(number), groupBitAnd(number + 4), groupBitXor(number), groupBitOr(-1) from numbers(6)',
    rows: [[7, 0, 1, -1]],
  },
  {
    sql: 'select groupBitOr(number), groupBitAnd(number), groupBitXor(number), deltaSum(number) from numbers(6) where number > 9',
    rows: [[0, -1, 0, 0]],
  },
  {
    sql: 'select skewPop(x), kurtPop(x), skewSamp(x), kurtSamp(x) from (select arrayJoin([1,2,3,10]) as x)',
    rows: [[1.0182337649086284, 2.2304, 0.6613622305514579, 1.2545999999999997]],
  },
  {
    sql: 'select simpleLinearRegression(x, y) from (select number as x, number * 2.5 + 1 as y from numbers(5))',
    rows: [[[2.5, 1]]],
  },
  {
    sql: 'select deltaSum(x), anyHeavy(toString(x % 2)) from (select arrayJoin([1,5,3,4,9]) as x)',
    rows: [[10, '1']],
  },
  {
    sql: "select sumMap(k, v), (sumMap(k, v) as s).1, s.2 from (select arrayJoin([(['x','y'],[1,2]),(['y','z'],[3,4]),(['w'],[0])]) as t, t.1 as k, t.2 as v)",
    rows: [
      [
        [
          ['x', 'y', 'z'],
          [1, 5, 4],
        ],
        ['x', 'y', 'z'],
        [1, 5, 4],
      ],
    ],
  },
  {
    sql: "select sumMap(m), minMap(m), maxMap(m), sumMapIf(m, x > 1), minMap(mapKeys(m), mapValues(m)) from (select arrayJoin([1, 2, 3]) as x, map('a', x, if(x > 1, 'b', 'c'), x * 0.5) as m)",
    rows: [
      [
        { a: 6, b: 2.5, c: 0.5 },
        { a: 1, b: 1, c: 0.5 },
        { a: 3, b: 1.5, c: 0.5 },
        { a: 5, b: 2.5 },
        [
          ['a', 'b', 'c'],
          [1, 1, 0.5],
        ],
      ],
    ],
  },
  {
    sql: 'select sumOrDefault(x), avgOrDefault(x), minOrDefault(x), maxOrDefault(x), uniqOrDefault(x), countOrDefault(x), anyOrDefault(x), argMaxOrDefault(x, x), medianOrDefault(x), stddevPopOrDefault(x), sumIfOrDefault(x, x > 5), avgOrDefaultIf(x, true) from (select nullIf(number, 0) / 2 as x from numbers(1))',
    rows: [[null, null, null, null, 0, 0, null, null, null, null, null, null]],
  },
  {
    sql: 'select sumOrDefault(x), avgOrDefault(x), minOrDefault(x), maxOrDefault(x), uniqOrDefault(x), countOrDefault(x), anyOrDefault(x), argMaxOrDefault(x, x), medianOrDefault(x), stddevPopOrDefault(x), sumIfOrDefault(x, x > 5), avgOrDefaultIf(x, true) from (select number / 2 as x from numbers(1)) where x > 5',
    rows: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  },
  {
    sql: "select k, sumMap(map(c, v)) as m, sumMapIf(map(c, v), v < 3), m['y'], mapKeys(sumMap(map(c, nullIf(v, 5)))) from (select number % 2 as k, arrayJoin(['x', 'y', 'z']) as c, multiIf(c = 'x', 0, c = 'y', if(number < 2, 1, -1), 5) as v from numbers(4)) group by k order by k",
    rows: [
      [0, { x: 0, y: 0, z: 10 }, { x: 0, y: 0 }, 0, ['x', 'y', 'z']],
      [1, { x: 0, y: 0, z: 10 }, { x: 0, y: 0 }, 0, ['x', 'y', 'z']],
    ],
  },
  {
    sql: 'select k, sumMap(g.1, g.2) from (select number % 2 as k, groupArray((number % 3, 0.5)) as g from numbers(6) group by k) group by k order by k',
    rows: [
      [
        0,
        [
          [0, 1, 2],
          [0.5, 0.5, 0.5],
        ],
      ],
      [
        1,
        [
          [0, 1, 2],
          [0.5, 0.5, 0.5],
        ],
      ],
    ],
  },
  {
    sql: "select windowFunnel(2)(t, e = 'a', e = 'b', e = 'c'), windowFunnel(10)(t, e = 'a', e = 'b', e = 'c'), windowFunnel(10)(t, e = 'z', e = 'a'), windowFunnelIf(10)(t, e = 'a', e = 'b', t < 3) from (select arrayJoin([(1,'a'),(3,'b'),(4,'c')]) as p, p.1 as t, p.2 as e)",
    rows: [[2, 3, 0, 1]],
  },
  {
    sql: "select windowFunnel(2)(t, e='a', e='b', e='c'), windowFunnel(60)(toDateTime('2026-03-01 00:00:00') + toIntervalSecond(t), e='a', e='b', e='c') from (select arrayJoin([(1,'a'),(2,'a'),(3,'b'),(5,'a'),(6,'c')]) as p, p.1 as t, p.2 as e)",
    rows: [[2, 3]],
  },
  {
    sql: "select windowFunnel(10)(t, e = 'a', e = 'b'), windowFunnel(10)(t, e = 'a', e = 'a') from (select arrayJoin([(1,'b'),(1,'a')]) as p, p.1 as t, p.2 as e)",
    rows: [[2, 2]],
  },
  {
    sql: 'select arrayMap(h -> countEqual(groupArray(number % 3), h), range(0, 3)), arrayFilter(h -> h < max(number), [1, 9]) from numbers(7)',
    rows: [[[3, 2, 2], [1]]],
  },
  {
    sql: 'select argMin(x, (y, -x)), argMax(x, (y, toString(x))) from (select number as x, number % 2 as y from numbers(6))',
    rows: [[4, 5]],
  },
  {
    // A row whose key is NULL is not taken, of every type of key.
    sql: "select argMax(a, b), argMin(a, b), argMax(a, c), argMin(a, c), argMin(a, d), argMin(a, e), argMin(a, f), argMinIf(a, b, a < 3), argMin(a, g) from (select arrayJoin([1,2,3]) as a, nullIf(a, 1) as b, nullIf(a = 3, false) as c, nullIf(toString(a), '1') as d, nullIf(a / 2, 0.5) as e, if(a = 1, null, toDate('2026-01-01')) as f, if(a = 5, 1, null) as g)",
    rows: [[3, 2, 3, 3, 2, 2, 2, 2, null]],
  },
  {
    sql: 'select groupArrayMovingSum(x), groupArrayMovingSum(2)(x), groupArrayMovingSum(9)(x), groupArrayMovingAvg(x), groupArrayMovingAvg(2)(x), groupArrayMovingAvg(1)(x) from (select arrayJoin([1, 2, 4, 7]) as x)',
    rows: [
      [
        [1, 3, 7, 14],
        [1, 3, 6, 11],
        [1, 3, 7, 14],
        [0.25, 0.75, 1.75, 3.5],
        [0.5, 1.5, 3, 5.5],
        [1, 2, 4, 7],
      ],
    ],
  },
  {
    sql: 'select k, groupArrayMovingSum(2)(x / 4), groupArrayMovingSumIf(2)(x, x > 2), groupArrayMovingAvgIf(x, x > 2), groupArrayMovingAvg(3)(x / 4) filter (where x > 3) from (select number % 2 as k, number as x from numbers(8)) group by k order by k',
    rows: [
      [0, [0, 0.5, 1.5, 2.5], [4, 10], [2, 5], [1 / 3, 2.5 / 3]],
      [1, [0.25, 1, 2, 3], [3, 8, 12], [1, 8 / 3, 5], [1.25 / 3, 1]],
    ],
  },
  {
    sql: 'select groupArrayMovingSum(2)(x), groupArrayMovingAvg(2)(x), groupArrayMovingSumIf(x, false), groupArrayMovingAvgOrNull(2)(-x), groupArrayMovingSum(2)(x = 4) from (select arrayJoin([1, null, 4]) as x)',
    rows: [[[1, 5], [0.5, 2.5], [], [-0.5, -2.5], [0, 0, 1]]],
  },
  // A constant key is a value, not the number of a column.
  { sql: 'select count(), max(number) from numbers(3) group by true', rows: [[3, 2]] },
  { sql: 'select count(), max(number) from numbers(3) group by (true and false)', rows: [[3, 2]] },
  {
    sql: 'select false as k, count(), row_number() over (partition by false) from numbers(3) group by k',
    rows: [[false, 3, 1]],
  },
  { sql: 'select number from numbers(2) order by (false and number = 1), number desc', rows: [[1], [0]] },
  { sql: 'select 1 from (select not true as k from numbers(3) group by k limit 1 by k)', rows: [[1]] },
]
