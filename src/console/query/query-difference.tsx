import { ChangeList } from '../grammar/difference-list'
import { changesBetween } from '../grammar/differences'
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

/** The fields of a draft that are compared, by what they are called. */
const shownOf = ({ description, data_freshness_seconds: age, tags }: Draft) => ({
  description,
  'age that results may have': ageOf(age),
  tags,
})

/** The differences between two drafts. */
export const QueryDifference = ({ before, after }: { before: Draft; after: Draft }) => (
  <>
    {before.text !== after.text && <TextDifference before={before.text} after={after.text} label="Query" />}
    <ChangeList
      changes={changesBetween(
        ['description', 'age that results may have', 'tags'],
        shownOf(before),
        shownOf(after),
      )}
    />
  </>
)
