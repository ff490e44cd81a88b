// What a recursive CTE may be.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

const FORM = "A recursive CTE is 'r' AS (SELECT … UNION ALL SELECT … FROM r …)"
const step = (clause: string) =>
  `not_supported: ${clause} is not supported in a step of a recursive CTE. Use it where you read the CTE, or in a subquery of other tables`
const LIMIT =
  'not_supported: LIMIT and OFFSET are not supported in a recursive CTE: end it by a condition, such as WHERE level < 10'

describe('WITH RECURSIVE', () => {
  it('reads the level before first in each step', async () => {
    expect(
      await written(
        'with recursive r(n) as (select 1 union all select r.n + e.number from numbers(3) as e join r on r.n = e.number) select n from r',
      ),
    ).toBe(
      `{with cte0 {1 as '1' integer} then {(s2.c0 + s1.number) as 'r.n + e.number' integer from level of cte0 s2 cross numbers(0, 3) s1 where (s2.c0 = s1.number)} s3.c0 as 'n' integer from cte0 s3}`,
    )
  })

  it.each([
    ['select 1 as n from r', `not_supported: ${FORM} @ r`],
    ['select n from r union all select 1', `not_supported: ${FORM}: the first SELECT cannot read 'r' @ r`],
    [
      'select 1 as n union all select n + 1 from r union all select 3',
      `not_supported: ${FORM}: SELECTs that do not read 'r' come first @ select 3`,
    ],
    [
      'select 1 as n union all (select 2 union all select n + 1 from r)',
      `not_supported: ${FORM}, without parentheses around several SELECTs @ select 2 union all select n + 1 from r`,
    ],
    [
      'select 1 as n union distinct select n + 1 from r',
      'not_supported: A recursive CTE adds rows by UNION ALL, not by UNION DISTINCT. Filter duplicates where you read it @ select n + 1 from r',
    ],
    [
      `select 1 as n ${'union all select n + 1 from r '.repeat(5)}`.trim(),
      'not_supported: A recursive CTE has at most 4 SELECTs that read it, and this one 5 @ …',
    ],
    [
      'select 1 as n union all select distinct n + 1 from r',
      `${step('DISTINCT')} @ select distinct n + 1 from r`,
    ],
    ['select 1 as n union all select max(n) from r', `${step('An aggregate')} @ select max(n) from r`],
    [
      'select 1 as n union all select n from r group by n',
      `${step('GROUP BY')} @ select n from r group by n`,
    ],
    [
      'select 1 as n union all select n from r order by n',
      `${step('ORDER BY')} @ select n from r order by n`,
    ],
    ['select 1 as n union all select n from r limit 5', `${LIMIT} @ select n from r limit 5`],
    [
      'select 1 as n union all select row_number() over () from r',
      `${step('A window function')} @ select row_number() over () from r`,
    ],
    [
      'select 1 as n union all select r.n from r full join numbers(2) as m on m.number = r.n',
      `${step('A RIGHT or FULL JOIN')} @ select r.n from r full join numbers(2) as m on m.number = r.n`,
    ],
    [
      'select 1 as n union all select r.n from numbers(2) as m left join r on m.number = r.n',
      "not_supported: A step of a recursive CTE begins with 'r', or joins it by an inner join @ select r.n from numbers(2) as m left join r on m.number = r.n",
    ],
    [
      'select 1 as n union all select a.n from r as a join r as b on a.n = b.n',
      "not_supported: A step reads its CTE once, and this one reads 'r' again @ r",
    ],
    [
      'select 1 as n union all select number from numbers(3) where exists (select 1 from r)',
      "not_supported: A step of a recursive CTE reads 'r' in its FROM, and not in a subquery @ select number from numbers(3) where exists (select 1 from r)",
    ],
    [
      "select 1 as n union all select 'x' from r",
      "type_mismatch: There is no common type for column 'n' of a set operation: an integer, a string. Convert with toString(…) or toFloat(…) @ …",
    ],
    [
      'select [] as n union all select [n] from r',
      "type_mismatch: The types of the columns of 'r' change with every level @ …",
    ],
  ])('refuses %s', async (query, expected) => {
    const found = await refusal(`with recursive r as (${query}) select n from r`)
    expect(expected.endsWith('…') ? found.slice(0, expected.length - 1) : found).toBe(
      expected.replace(/…$/, ''),
    )
  })
})
