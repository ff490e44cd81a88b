import type { Difference } from './differences'

/** What was and what is, one under the other. */
export const DifferenceList = ({ differences }: { differences: readonly Difference[] }) =>
  differences.length === 0 ? null : (
    <ul className="differences">
      {differences.map(({ what, before, after }) => (
        <li key={what} className="difference">
          <span className="label">{what}</span>
          {before !== null && <del>{before}</del>}
          {after !== null && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )
