// Shows the frame of a tile: its title and, while the dashboard is edited, controls that move, resize and remove it.
import { Ellipsis, GripVertical, MoveDiagonal2 } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { IconButton } from '../design/button'
import { Menu } from '../design/popups/menu'
import type { MenuGroups } from '../design/popups/menu-items'
import { COLUMNS, type Place } from './layout'

/** Pixels between tiles, and of a row; dashboards.css has the same. */
const GAP = 16
const ROW = 48

interface TileFrameProps {
  id: number
  title: ReactNode
  /** The name for screen readers. */
  name: string
  place: Place
  position: number
  count: number
  isMoving: boolean
  isEditing: boolean
  actions: MenuGroups[number]['items']
  onMove(position: number): void
  /** Called while a pointer moves the tile over another one. */
  onMoveOver(id: number): void
  /** Resizes the tile by columns and rows. */
  onResizeBy(columns: number, rows: number): void
  /** Called while a pointer resizes the tile. */
  onPreview(w: number, h: number): void
  /** Called when the pointer is released, or the gesture is cancelled. */
  onEnd(isKept: boolean): void
  children: ReactNode
}

export function TileFrame(props: TileFrameProps) {
  const { id, title, name, place, position, count, isMoving, isEditing, actions } = props
  const { onMove, onMoveOver, onResizeBy, onPreview, onEnd, children } = props
  const frame = useRef<HTMLElement>(null)
  const gesture = useRef<'move' | 'resize' | null>(null)
  const { w, h } = place

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    if (!event.shiftKey) onMove(position + step)
    else if (isAcross) onResizeBy(step, 0)
    else onResizeBy(0, step)
  }
  const begin = (kind: 'move' | 'resize') => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    gesture.current = kind
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (gesture.current === 'move') {
      const over = document
        .elementsFromPoint(x, y)
        .map((each) => each.closest<HTMLElement>('[data-tile]')?.dataset.tile)
        .find((each) => each !== undefined)
      if (over !== undefined && Number(over) !== id) onMoveOver(Number(over))
    } else if (gesture.current === 'resize' && frame.current) {
      const { left, top, width } = frame.current.getBoundingClientRect()
      const column = (width + GAP) / w
      onPreview(Math.round((x - left + GAP) / column), Math.round((y - top + GAP) / (ROW + GAP)))
    }
  }
  const release = (isKept: boolean) => () => {
    if (gesture.current === null) return
    gesture.current = null
    onEnd(isKept)
  }
  const pointer = {
    onPointerMove,
    onPointerUp: release(true),
    onPointerCancel: release(false),
  }
  const sizes = [
    { label: 'Wider', disabled: w >= COLUMNS, onSelect: () => onResizeBy(1, 0) },
    { label: 'Narrower', disabled: w <= 3, onSelect: () => onResizeBy(-1, 0) },
    { label: 'Taller', onSelect: () => onResizeBy(0, 1) },
    { label: 'Lower', disabled: h <= 3, onSelect: () => onResizeBy(0, -1) },
  ]
  return (
    <section
      ref={frame}
      className={`card tile ${isMoving ? 'moving' : ''}`}
      aria-label={name}
      data-tile={id}
      style={{
        gridColumn: `${place.x + 1} / span ${w}`,
        gridRow: `${place.y + 1} / span ${h}`,
        // This applies when all tiles are in one column.
        order: position,
      }}
    >
      <header>
        {isEditing && (
          <IconButton
            label={`Move ${name}`}
            className="tile-handle"
            isSmall
            aria-describedby="tile-keys"
            onKeyDown={onKeyDown}
            onPointerDown={begin('move')}
            {...pointer}
          >
            <GripVertical size={15} aria-hidden />
          </IconButton>
        )}
        <h2 className="grow truncate">{title}</h2>
        {isEditing && (
          <Menu
            trigger={
              <IconButton label={`Actions for ${name}`} isSmall>
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            }
            groups={[
              {
                items: [
                  { label: 'Move earlier', disabled: position === 0, onSelect: () => onMove(position - 1) },
                  {
                    label: 'Move later',
                    disabled: position === count - 1,
                    onSelect: () => onMove(position + 1),
                  },
                ],
              },
              { items: sizes },
              ...(actions.length > 0 ? [{ items: actions }] : []),
            ]}
          />
        )}
      </header>
      {children}
      {isEditing && (
        <span className="tile-corner" onPointerDown={begin('resize')} {...pointer} aria-hidden>
          <MoveDiagonal2 size={13} aria-hidden />
        </span>
      )}
    </section>
  )
}

/** The content of a tile, and a line below it that does not scroll. */
export const TileBody = ({
  name,
  note,
  children,
}: {
  name: string
  note?: ReactNode
  children: ReactNode
}) => (
  <>
    {/* The element is focusable, so that a keyboard can scroll it. */}
    <div className="tile-body" tabIndex={0} role="group" aria-label={`Content of ${name}`}>
      {children}
    </div>
    {note && <p className="tile-note soft small truncate">{note}</p>}
  </>
)
