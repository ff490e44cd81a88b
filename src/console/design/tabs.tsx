// Renders tabs whose state is in the address.
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Badge } from './small'

interface TabsProps<Tab extends string> {
  /** The label for screen readers. */
  label: string
  /** The first one is shown without a parameter. */
  tabs: readonly (readonly [tab: Tab, label: ReactNode, content?: () => ReactNode])[]
  current: Tab
  /** One with changes that are not saved. */
  unsaved?: Tab | undefined
}

/** Links to this page with another `tab`. */
export function Tabs<Tab extends string>({ label, tabs, current, unsaved }: TabsProps<Tab>) {
  const bar = useRef<HTMLElement>(null)
  // Not all of them fit on a phone.
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current=page]')
    if (bar.current && tab) bar.current.scrollLeft = tab.offsetLeft - bar.current.clientWidth / 2
  }, [current])
  return (
    <nav ref={bar} className="tabs" aria-label={label}>
      {tabs.map(([tab, name], index) => (
        <Link
          key={tab}
          className="tab"
          // The router marks the one whose whole address is shown; a tab may have more parameters of its own.
          activeOptions={{ exact: tab !== current, includeSearch: tab !== current }}
          to="."
          search={index === 0 ? {} : ({ tab } as never)}
        >
          {name} {tab === unsaved && <Badge tone="accent">Unsaved</Badge>}
        </Link>
      ))}
    </nav>
  )
}
