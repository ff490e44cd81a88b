import { describe, expect, it } from 'vitest'
import { CHOICES, othersIn, summaryOf, withChoice, wordsOf } from '../../src/console/webhooks/events'

const choice = (name: string) => CHOICES.find(([label]) => label === name)![1]
const DELETED = 'Flags deleted or restored'

describe('the events of a webhook', () => {
  it.each([
    [['FeatureFlag.deleted'], 'Flag deleted'],
    [['FeatureFlag.*', 'Dashboard.*'], 'Dashboards, All changes of flags'],
    [['Endpoint.*'], 'All changes of queries'],
    [['FeatureFlag.deleted', 'FeatureFlag.restored'], DELETED],
    [['Cohort.*', 'Cohort.created'], 'Cohorts'],
    [['Cohort.created'], 'Cohort created'],
    [['*'], 'All changes'],
  ])('are all in the summary: %j', (events, summary) => expect(summaryOf(events)).toBe(summary))

  it.each([
    ['FeatureFlag.updated', 'Flag updated'],
    ['Endpoint.version_created', 'Query has a new version'],
    ['DataWarehouseSavedQuery.materialization_disabled', 'Materialization of a query disabled'],
    ['Cohort.person_removed_manually', 'Cohort has a person less'],
  ])('have words: %s', (event, words) => expect(wordsOf(event)).toBe(words))

  it('all have words of the console', () => {
    const wire = CHOICES.flatMap(([, events]) => events).map(wordsOf)
    expect(wire.filter((words) => /[a-z][A-Z]|[._*]/.test(words))).toEqual([])
  })

  it('stay when another choice is added or removed', () => {
    const events = ['FeatureFlag.deleted', 'Endpoint.*', 'Survey.*']
    const added = withChoice(events, choice('Cohorts'), true)
    expect(added).toEqual([...events, 'Cohort.*'])
    expect(withChoice(added, choice('Cohorts'), false)).toEqual(events)
    expect(withChoice(['FeatureFlag.*'], choice('Cohorts'), true)).toEqual(['FeatureFlag.*', 'Cohort.*'])
  })

  it('become those of a choice that includes them', () => {
    const events = withChoice(['FeatureFlag.deleted'], choice(DELETED), true)
    expect(events).toEqual(['FeatureFlag.deleted', 'FeatureFlag.restored'])
    expect(othersIn(events)).toEqual([])
  })

  it('keep the other choices of a wildcard when one of them is removed', () => {
    expect(withChoice(['FeatureFlag.*', 'Cohort.*'], choice('Flags updated'), false)).toEqual([
      'FeatureFlag.created',
      'FeatureFlag.deleted',
      'FeatureFlag.restored',
      'Cohort.*',
    ])
  })
})
