import type { Difference } from '../grammar/differences'
import { DifferenceList } from '../grammar/difference-list'
import { type Draft, FRESHNESS } from './draft'
import { diffLines } from './text-diff'

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const SPOKEN = { same: '', removed: 'Removed: ', added: 'Added: ' } as const

/** The lines of two texts, with marks on those that differ. */
export const TextDifference = ({
  before,
  after,
  label,
}: {
  before: string
  after: string
  label: string
}) => (
  // The element is focusable, so that a keyboard can scroll it.
  <div className="text-difference" tabIndex={0} role="region" aria-label={label}>
    <pre>
      {diffLines(before, after).map(({ kind, text }, index) => (
        <span key={index} className={`line ${kind}`}>
          <span aria-hidden>{SIGNS[kind]} </span>
          <span className="visually-hidden">{SPOKEN[kind]}</span>
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  </div>
)

const ageOf = (seconds: number): string =>
  FRESHNESS.find(([each]) => Number(each) === seconds)?.[1] ?? `${seconds} seconds`

/** The differences between two drafts. */
export function QueryDifference({ before, after }: { before: Draft; after: Draft }) {
  const differences: Difference[] = []
  const add = (sentence: string, from: string, to: string) => {
    if (from !== to) differences.push({ sentence, before: from || null, after: to || null })
  }
  add('The description changes:', before.description, after.description)
  add(
    'The age that results may have changes:',
    ageOf(before.data_freshness_seconds),
    ageOf(after.data_freshness_seconds),
  )
  add('The tags change:', before.tags.join(', '), after.tags.join(', '))
  return (
    <>
      {before.text !== after.text && <TextDifference before={before.text} after={after.text} label="Query" />}
      <DifferenceList differences={differences} />
    </>
  )
}
