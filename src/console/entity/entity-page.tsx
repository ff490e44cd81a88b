// Renders the pages about one thing that a project has: what it is called, what can be done with it, its parts as tabs, and what is not saved.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, Trash2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Button, buttonClass } from '../design/button'
import { PageLoading, PageProblem } from '../design/feedback'
import { PageHeader } from '../design/page-header'
import { usePageName } from '../design/page-title'
import type { MenuItem } from '../design/popups/menu-items'
import { MoreMenu } from '../design/popups/more-menu'
import { Tabs } from '../design/tabs'
import { LeaveDialog } from '../edit/leave-dialog'
import { ChangesBar, CreateBar } from '../edit/save-bars'
import type { LeaveBlocker } from '../edit/use-unsaved'
import { useCanWrite, useSaveKey } from '../team/writers'

/** The list that something belongs to. */
export interface List extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  label: ReactNode
}

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** The kind of what is loaded, such as `flag`. */
  noun: string
  children(data: NonNullable<Data>): ReactNode
}

/** A page of what `query` reads, and what it shows until then. */
export function Loaded<Data>({ query, noun, children }: LoadedProps<Data>) {
  if (query.isPending) return <PageLoading label={`Loading the ${noun}`} />
  if (!query.data) return <PageProblem error={query.error} noun={noun} onRetry={() => void query.refetch()} />
  return children(query.data)
}

export const Crumb = ({ list: { label, ...link } }: { list: List }) => (
  <Link {...link} className="crumb row small">
    <ChevronLeft size={14} aria-hidden /> {label}
  </Link>
)

interface Header {
  /** The kind of item, such as `flag`. */
  noun: string
  list: List
  title: string
  /** The content below the title. */
  note?: ReactNode
  children?: ReactNode
}

/** An edit, on the first tab. */
interface Edit {
  isChanged: boolean
  blocker: LeaveBlocker
  /** The words for what is changed. */
  words: string
  /** The problem that keeps it from being saved, after the first attempt. */
  issue: string | null
  /** The error of the last save that no field shows. A dialog shows it itself. */
  refusal: Error | null
  isReviewed: boolean
  /** On the button. Default: `Save`. */
  action?: string
  isBusy: boolean
  onSave(): void
  onDiscard(): void
}

interface EntityPageProps<Tab extends string> extends Header {
  /** Whether the title is what programs use: a key or name. */
  isCode?: boolean
  /** The content beside the title. */
  marks?: ReactNode
  /** The content of the header before the menu. */
  actions?: ReactNode
  menu?: readonly (MenuItem & { isForViewers?: boolean })[]
  /** Deletes it, after a question where the label ends with “…”. */
  remove?: { label: 'Delete' | 'Delete…'; run(): void }
  /** The content between the header and the tabs. */
  notices?: ReactNode
  tab?: Tab
  /** The content of each tab. The first is shown without a parameter in the address. */
  tabs?: readonly (readonly [tab: Tab, label: string, content?: () => ReactNode])[]
  edit?: Edit
}

/** `children` follow the tab: dialogs, and what stays while another tab is shown. */
export function EntityPage<Tab extends string>({
  noun,
  list,
  title,
  isCode,
  marks,
  note,
  actions,
  menu = [],
  remove,
  notices,
  tabs = [],
  tab = tabs[0]?.[0],
  edit,
  children,
}: EntityPageProps<Tab>) {
  usePageName(title)
  const canWrite = useCanWrite()
  const navigate = useNavigate()
  const first = tabs[0]?.[0]
  const save = async () => {
    if (!edit?.isChanged || edit.isBusy) return
    // What the service rejects is shown there.
    if (tab !== first) await navigate({ to: '.', search: ({ tab: _tab, ...rest }) => rest })
    edit.onSave()
  }
  useSaveKey(() => void save())
  const items: MenuItem[] = menu.filter(({ isForViewers }) => canWrite || isForViewers)
  if (remove && canWrite)
    items.push({ label: remove.label, icon: Trash2, isDanger: true, onSelect: remove.run })
  const hasActions = actions || items.length > 0
  const problem = edit?.issue ?? (edit?.isReviewed ? null : edit?.refusal?.message)
  return (
    <>
      <Crumb list={list} />
      <PageHeader title={title} isCode={isCode} marks={marks} note={note}>
        {hasActions && (
          <div className="row wrap">
            {actions}
            {items.length > 0 && <MoreMenu items={items} />}
          </div>
        )}
      </PageHeader>
      {notices}
      {tab && (
        <Tabs
          label={`Parts of the ${noun}`}
          current={tab}
          tabs={tabs}
          unsaved={edit?.isChanged ? first : undefined}
        />
      )}
      {tabs.find(([each]) => each === tab)?.[2]?.()}
      {children}
      {edit?.isChanged && (
        <ChangesBar
          save={
            <Button kind="primary" isBusy={edit.isBusy} onClick={() => void save()}>
              {edit.action ?? 'Save'}
            </Button>
          }
          onDiscard={edit.onDiscard}
        >
          {edit.words}
          {problem && (
            <span className="error-text" role="alert">
              {' '}
              {problem}
            </span>
          )}
        </ChangesBar>
      )}
      {edit && (
        <LeaveDialog blocker={edit.blocker} isBusy={edit.isBusy} error={edit.refusal}>
          Your changes to {title} are not saved.
        </LeaveDialog>
      )}
    </>
  )
}

interface CreatePageProps extends Header, Omit<ComponentProps<typeof CreateBar>, 'what' | 'cancel'> {
  /** Replaces the link that leaves the page. */
  cancel?: ReactNode
  /** What viewers may do with the form, which they see then, in a sentence. */
  viewerWords?: string
}

/** The form of a new one. */
export const CreatePage = ({
  noun,
  list,
  title,
  note,
  children,
  cancel,
  viewerWords,
  hint,
  ...bar
}: CreatePageProps) => {
  const { label: _label, ...link } = list
  const canWrite = useCanWrite()
  if (!canWrite && viewerWords === undefined)
    return (
      <>
        <Crumb list={list} />
        <PageHeader title={title} note={`You are a viewer, and viewers cannot create a ${noun}.`} />
      </>
    )
  return (
    <>
      <Crumb list={list} />
      <PageHeader title={title} note={note} />
      {children}
      <CreateBar
        what={noun}
        hint={canWrite ? hint : viewerWords!}
        cancel={
          cancel || (
            <Link {...link} className={buttonClass({})}>
              Cancel
            </Link>
          )
        }
        {...bar}
      />
    </>
  )
}
