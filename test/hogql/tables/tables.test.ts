import { describe, expect, it } from 'vitest'
import { findTable, TABLES } from '../../../src/hogql/tables/tables'
import { isObject } from '../../../src/hogql/tables/schema'
import { columnKeysOf } from '../../support/column-keys'

describe('tables', () => {
  it('are these and no others', () => {
    expect(Object.keys(TABLES)).toEqual([
      'events',
      'persons',
      'person_distinct_ids',
      'groups',
      'sessions',
      'cohort_people',
    ])
    for (const name of ['Events', 'sqlite_master', 'constructor', '__proto__', 'toString', 'users', '']) {
      expect(findTable(name)).toBeUndefined()
    }
  })

  it('show columns of their own behind *', () => {
    for (const { name, fields, star } of Object.values(TABLES)) {
      for (const column of star) {
        const field = fields.get(column)
        expect([name, column, field !== undefined && !isObject(field)]).toEqual([name, column, true])
      }
    }
  })

  it('have no column for the bounds of a project', () => {
    for (const { fields } of Object.values(TABLES)) {
      expect(fields.has('team_id')).toBe(false)
      expect(fields.has('project_id')).toBe(false)
    }
  })

  it('put the row that an event may lack behind keys that may be NULL', () => {
    const keys = columnKeysOf('events')
    for (const key of [
      'person__properties',
      'group_0__key',
      'group_4__properties',
      'session__$start_timestamp',
    ]) {
      expect([key, keys.get(key)?.nullable]).toEqual([key, true])
    }
    expect(keys.get('person_id')).toEqual({ kind: 'string', nullable: false })
  })

  it('know the id of a person, and poe, by the columns of the event', () => {
    const person = TABLES.events.fields.get('person')
    expect(person).toBe(TABLES.events.fields.get('poe'))
    expect(person && isObject(person) && person.fields.get('id')).toMatchObject({ key: 'person_id' })
  })

  it('know whose properties each document holds', () => {
    const owners = [...TABLES.events.fields].flatMap(([name, field]) =>
      (isObject(field) ? [...field.fields.values()] : [field]).flatMap((column) =>
        'owner' in column && column.owner ? [[name, column.owner]] : [],
      ),
    )
    expect(owners).toEqual([
      ['properties', 'event'],
      ['person', 'person'],
      ['poe', 'person'],
      ...[0, 1, 2, 3, 4].map((index) => [`group_${index}`, `group_${index}`]),
    ])
  })
})
