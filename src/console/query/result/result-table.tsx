// Shows the rows of a result. Only those on the screen are rendered.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { natureOf, type Result, textOf } from './plot-choice'

/** The height in pixels, which the style has, too. */
const ROW_HEIGHT = 33

export function ResultTable({ result, label }: { result: Result; label: string }) {
  const { columns, types, rows } = result
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const isNumber = types.map(([, type = '']) => natureOf(type) === 'number')
  return (
    // The element is focusable, so that a keyboard can scroll it.
    <div ref={scroller} className="result-table" tabIndex={0} role="region" aria-label={label}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((name, index) => (
              <th key={index} className={isNumber[index] ? 'number' : ''} title={types[index]?.[1]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Gap height={before} width={columns.length} />}
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2}>
              {rows[index]!.map((value, column) => {
                const text = textOf(value)
                return (
                  <td
                    key={column}
                    className={isNumber[column] ? 'number' : ''}
                    title={text.length > 40 ? text : undefined}
                  >
                    {value === null ? <span className="soft">null</span> : text}
                  </td>
                )
              })}
            </tr>
          ))}
          {after > 0 && <Gap height={after} width={columns.length} />}
        </tbody>
      </table>
    </div>
  )
}

const Gap = ({ height, width }: { height: number; width: number }) => (
  <tr aria-hidden>
    <td colSpan={width} style={{ height, padding: 0, border: 0 }} />
  </tr>
)
