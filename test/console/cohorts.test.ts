import { describe, expect, it } from 'vitest'
import { csvOfMembers, idCount, NO_MEMBERS, unknownWords } from '../../src/console/cohorts/member-list'
import { asList, type Group, placeNamed, treeIssues, treeOf, treeWords } from '../../src/console/cohorts/tree'

const on = (key: string, value: unknown, more = {}) => ({
  key,
  type: 'person' as const,
  operator: 'exact',
  value,
  ...more,
})
const all = (...values: Group['values']): Group => ({ type: 'AND', values })
const any = (...values: Group['values']): Group => ({ type: 'OR', values })

describe('conditions of a cohort', () => {
  it.each([
    [all(on('plan', ['pro'])), 'plan is pro'],
    [all(on('plan', ['pro']), any(on('a', '1'), on('b', '2'))), 'plan is pro and (a is 1 or b is 2)'],
    [any(all(on('a', '1')), on('b', '2', { negation: true })), 'a is 1 or not (b is 2)'],
    [all(), 'no condition'],
  ])('are described in words: %#', (tree, words) => {
    expect(treeWords(tree, {})).toBe(words)
  })

  it('are a list only where all must hold', () => {
    const [a, b] = [on('a', '1'), on('b', '2')]
    expect(asList(all(a, all(b), any(a)))).toEqual([a, b, a])
    expect(asList(all(a, any(a, b)))).toBeNull()
    expect(asList(all({ ...a, negation: true }))).toBeNull()
    expect(treeOf(null)).toEqual(all())
  })

  it('have issues at the path that the API names', () => {
    expect([...treeIssues(all(on('', 'x'), any(), all(on('a', []))))]).toEqual([
      ['properties.values[0]', 'Choose a property.'],
      ['properties.values[1]', 'Add a condition: a group without one matches everyone.'],
      ['properties.values[2].values[0]', 'Enter a value.'],
    ])
    expect(placeNamed('properties.values[2].values[0].value: invalid')).toBe('properties.values[2].values[0]')
    expect(placeNamed('Cohort with id 7 does not exist')).toBeNull()
  })
})

describe('a list of persons', () => {
  it('becomes CSV', () => {
    expect(csvOfMembers({ ...NO_MEMBERS, text: ' a,b \n\nsay "hi"\r\n' })).toBe(
      'distinct_id\n"a,b"\n"say ""hi"""',
    )
    expect(csvOfMembers({ ...NO_MEMBERS, kind: 'person_id', text: 'x' })).toBe('person_id\n"x"')
    expect(csvOfMembers({ ...NO_MEMBERS, text: ' \n' })).toBeNull()
    expect(csvOfMembers({ ...NO_MEMBERS, text: 'a', file: { name: 'f', text: 'b' } })).toBe('b')
  })

  it('names the ids that no person has', () => {
    expect(unknownWords(['a'])).toBe(' One id is unknown: a.')
    expect(unknownWords(['a', 'b', 'c', 'd', 'e'])).toBe(' 5 ids are unknown: a, b, c, and 2 more.')
    expect(unknownWords()).toBe('')
  })

  it('counts each id once', () => {
    expect(idCount('a\nb\na')).toBe(2)
  })
})
