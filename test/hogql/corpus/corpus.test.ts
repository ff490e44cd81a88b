// Every query of the corpus on D1: ClickHouse's rows, names and types.
import { beforeAll, describe, expect, it } from 'vitest'
import { columnTypeOf } from '../../../src/hogql/types'
import { createTenant, type Tenant } from '../../support/tenant'
import { compileQuestion, forD1, rowsOnD1 } from './ask'
import { comparable } from './compare'
import { OTHER_PROJECT, PROJECT } from './dataset'
import { loadIntoD1 } from './load-d1'
import { THEMES } from './queries'

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await loadIntoD1(tenant.projectId, PROJECT)
  await loadIntoD1((await createTenant()).projectId, OTHER_PROJECT)
})

const ALL = Object.values(THEMES).flat()

it('has names that are unique', () => {
  expect(ALL.map(({ name }) => name).filter((name, at, names) => names.indexOf(name) !== at)).toEqual([])
})

describe.each(Object.entries(THEMES))('%s', (_, queries) => {
  it.each(queries.filter(({ clickhouseOnly }) => !clickhouseOnly))('$name', async (query) => {
    const compiled = await compileQuestion(query)
    const rows = await rowsOnD1(forD1(compiled), query, tenant.projectId)
    expect({
      columns: compiled.columns.map(({ name }) => name),
      types: compiled.columns.map(({ type }) => columnTypeOf(type)),
      rows: comparable(rows, query.ordered),
    }).toEqual({
      columns: query.columns,
      types: query.types,
      rows: comparable(query.rows, query.ordered),
    })
  })
})

describe('queries that D1 cannot run', () => {
  it.each(ALL.filter(({ clickhouseOnly }) => clickhouseOnly))('is refused: $name', async (query) => {
    const { queries } = await compileQuestion(query)
    expect(queries.sqlite).toEqual({ refusal: expect.stringMatching(/ClickHouse/) })
    expect(queries.clickhouse).toHaveProperty('sql')
  })
})
