// Shows every component of the design in its states, for review. It is no part of the console. To see it:
// `npx vite test/console/gallery --config src/console/vite.config.ts`
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { Flag, Pencil, Search, Trash2 } from 'lucide-react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from '../../../src/console/api/problem'
import { Button, ClearButton, IconButton } from '../../../src/console/design/button'
import { OlderButton } from '../../../src/console/design/older-button'
import { Card } from '../../../src/console/design/card'
import { CodeEditor } from '../../../src/console/design/code/code-editor'
import { CodeSamples } from '../../../src/console/design/code/code-samples'
import { JsonEditor } from '../../../src/console/design/code/json-editor'
import { Crumb } from '../../../src/console/entity/entity-page'
import { type Column, DataTable, Meta, RowTitle } from '../../../src/console/design/data-table'
import '../../../src/console/design/design.css'
import {
  Empty,
  Loading,
  Notice,
  PageLoading,
  PageProblem,
  ProblemNotice,
  Skeleton,
} from '../../../src/console/design/feedback'
import { CountField } from '../../../src/console/design/fields/count-field'
import { SuggestField, Tokens } from '../../../src/console/design/fields/combobox'
import { DayRange } from '../../../src/console/design/fields/day-range'
import {
  AreaField,
  Checkbox,
  Field,
  Input,
  Select,
  SelectField,
  Switch,
  SwitchRow,
  TextField,
} from '../../../src/console/design/fields/field'
import { CheckList, Choices, toggled } from '../../../src/console/design/fields/choices'
import { RangeField } from '../../../src/console/design/fields/range-field'
import type { TimeRange } from '../../../src/console/design/fields/time-range'
import { PageHeader } from '../../../src/console/design/page-header'
import { SearchField } from '../../../src/console/design/fields/search-field'
import Plot from '../../../src/console/design/plot'
import { FormBody } from '../../../src/console/design/form-body'
import { Confirm, FormDialog } from '../../../src/console/design/popups/dialog'
import { Menu } from '../../../src/console/design/popups/menu'
import type { MenuGroups } from '../../../src/console/design/popups/menu-items'
import { MoreMenu } from '../../../src/console/design/popups/more-menu'
import { say, sayLink, sayProblem, Toasts } from '../../../src/console/design/popups/toast'
import {
  Avatar,
  Badge,
  CodeBlock,
  CopyButton,
  Created,
  Facts,
  Key,
  Time,
} from '../../../src/console/design/small'
import { Tabs } from '../../../src/console/design/tabs'
import '../../../src/console/shell/shell.css'

const PERSON = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
const MONDAY = '2026-01-05T09:00:00Z'
const LONG = 'a-name-that-is-as-long-as-the-longest-that-people-give-to-what-they-make'
const nothing = () => {}
const later = () => Promise.resolve()

/** The states of one component. */
const Shown = ({ name, children }: { name: string; children: ReactNode }) => (
  <Card title={name}>
    <div className="row wrap">{children}</div>
  </Card>
)

function Buttons() {
  return (
    <>
      <Shown name="Button">
        <Button>Default</Button>
        <Button kind="primary">Primary</Button>
        <Button kind="danger">Danger</Button>
        <Button kind="plain">Plain</Button>
        <Button isSmall>Small</Button>
        <Button disabled>Disabled</Button>
        <Button kind="primary" disabled>
          Disabled
        </Button>
        <Button isBusy>Busy</Button>
        <Button>
          <Pencil size={15} aria-hidden /> With an icon
        </Button>
        <ClearButton onClick={nothing} />
      </Shown>
      <Shown name="IconButton">
        <IconButton label="Search">
          <Search size={16} aria-hidden />
        </IconButton>
        <IconButton label="Delete" isSmall>
          <Trash2 size={15} aria-hidden />
        </IconButton>
        <IconButton label="Not now" disabled>
          <Trash2 size={15} aria-hidden />
        </IconButton>
      </Shown>
      <Shown name="Small parts">
        <Badge>Off</Badge>
        <Badge tone="good">Ready</Badge>
        <Badge tone="warn">Hibernated</Badge>
        <Badge tone="bad">Failed</Badge>
        <Badge tone="accent">Building</Badge>
        <Key>⌘ K</Key>
        <Avatar person={PERSON} />
        <span>
          <Time at={MONDAY} />
        </span>
        <span>
          <Created created_at={MONDAY} created_by={PERSON} />
        </span>
        <CopyButton text="copied" label="Copy the name" />
        <Facts
          facts={[
            ['Version', 3],
            ['Name', LONG],
          ]}
        />
      </Shown>
    </>
  )
}

function Fields() {
  const [text, setText] = useState('')
  const [choice, setChoice] = useState<string>('day')
  const [isOn, setIsOn] = useState(true)
  const [tags, setTags] = useState(['beta', LONG])
  const [range, setRange] = useState<TimeRange>({ from: '-7d', to: null })
  const [days, setDays] = useState({ from: '2026-01-01', to: '2026-01-31' })
  const options = [
    ['day', 'Day'],
    ['week', 'Week'],
  ] as const
  const suggestions = [{ value: 'plan', detail: 'String' }, { value: 'country' }]
  return (
    <Card title="Fields">
      <TextField label="Input" hint="What it is for." value={text} onChange={setText} />
      <Field label="Input with an error" error="A key like this exists already.">
        {(control) => <Input {...control} defaultValue={LONG} />}
      </Field>
      <Field label="Input that is disabled">
        {(control) => <Input {...control} disabled defaultValue="new-checkout" />}
      </Field>
      <CountField label="Number" value={14} onChange={nothing}>
        <Select label="Unit" value={choice} options={options} onChange={setChoice} />
      </CountField>
      <AreaField label="Text area" rows={2} placeholder="What it answers" value={text} onChange={setText} />
      <SelectField label="Select" value={choice} options={options} onChange={setChoice} />
      <div className="row wrap">
        <Select label="Select" value={choice} options={options} onChange={setChoice} />
        <Select label="Select, small" isSmall value={choice} options={options} onChange={setChoice} />
        <Select label="Select, disabled" disabled value={choice} options={options} onChange={setChoice} />
        <Switch label="Switch" isChecked={isOn} onChange={setIsOn} />
        <Switch label="Switch, off" isChecked={!isOn} onChange={(isOff) => setIsOn(!isOff)} />
        <Switch label="Switch, disabled" disabled isChecked onChange={nothing} />
        <Checkbox label="Checkbox" isChecked={isOn} onChange={setIsOn} />
        <Checkbox label="Checkbox, in part" isChecked={false} isPartly onChange={nothing} />
      </div>
      <SwitchRow title="Switch in a row" hint="What it changes." isChecked={isOn} onChange={setIsOn} />
      <SearchField label="Search flags" placeholder="Search" value={text} onChange={setText} />
      <SuggestField label="Suggest" value={text} onChange={setText} suggestions={suggestions} />
      <Choices
        legend="Choices"
        value={choice}
        options={options.map(([value, title]) => [value, title, 'What it means.'] as const)}
        onChange={setChoice}
      />
      <CheckList
        legend="Check list"
        options={['beta', 'stable'].map((value) => [value, value] as const)}
        isChosen={(value) => tags.includes(value)}
        onChoose={(value, isIn) => setTags(toggled(tags, value, isIn))}
      />
      <Field label="Tokens">
        {({ id }) => <Tokens id={id} label="Tokens" values={tags} onChange={setTags} />}
      </Field>
      <RangeField label="Time range" value={range} options={[['-7d', 'Last 7 days']]} onChange={setRange} />
      <div className="row wrap">
        <DayRange {...days} onChange={(change) => setDays({ ...days, ...change })} />
      </div>
    </Card>
  )
}

function Feedback() {
  const failure = new Problem('The service is busy. Please retry.', 503)
  return (
    <>
      <Card title="Form">
        <FormBody
          action="Save"
          isBusy={false}
          disabled={false}
          error={failure}
          beside={<Button>Cancel</Button>}
          onSubmit={nothing}
        >
          <TextField label="Name" value="Halyard" onChange={nothing} />
        </FormBody>
      </Card>
      <Card title="Notices">
        <Notice>Information</Notice>
        <Notice tone="good">Good news</Notice>
        <Notice tone="warn">A warning</Notice>
        <Notice tone="bad">A failure</Notice>
        <ProblemNotice error={failure} onRetry={nothing} />
      </Card>
      <Card title="Nothing yet, or not now">
        <Empty
          icon={<Flag size={28} aria-hidden />}
          title="No flags"
          action={<Button kind="primary">Create one</Button>}
        >
          A flag turns a feature on for some people first.
        </Empty>
        <Loading label="Loading the flags" />
        <Skeleton width="12rem" />
        <OlderButton list={{ hasNextPage: true, isFetchingNextPage: false, fetchNextPage: later }} />
        <PageLoading label="Loading a page" />
      </Card>
      <PageProblem error={failure} onRetry={nothing} />
    </>
  )
}

type Row = { id: number; name: string; rows: number }

const ROWS: Row[] = [
  { id: 1, name: 'new-checkout', rows: 12 },
  { id: 2, name: LONG, rows: 1_234_567 },
]

const COLUMNS: Column<Row>[] = [
  {
    heading: 'Name',
    place: 'main',
    order: 'name',
    cell: ({ name, rows }) => (
      <RowTitle detail="What it is for">
        <a className="truncate" href="#row">
          {name}
        </a>
        <Meta>{rows.toLocaleString('en')} rows</Meta>
      </RowTitle>
    ),
  },
  {
    heading: 'Rows',
    place: 'wide',
    width: '8rem',
    cell: ({ rows }) => <span className="numeric">{rows.toLocaleString('en')}</span>,
  },
]

function Lists() {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set([1]))
  const [order, setOrder] = useState<string | undefined>('name')
  const query = {
    isPending: false,
    isError: false,
    isPlaceholderData: false,
    error: null,
    refetch: nothing,
  }
  return (
    <>
      <PageHeader title="A list" marks={<Badge>New</Badge>} note={`${ROWS.length} flags match`}>
        <Button kind="primary">New flag</Button>
      </PageHeader>
      <DataTable
        query={query}
        rows={ROWS}
        count={ROWS.length}
        columns={COLUMNS}
        nameOf={({ name }) => name}
        order={order}
        onOrder={setOrder}
        selected={selected}
        onSelect={setSelected}
        empty={null}
      />
    </>
  )
}

function Code() {
  const [json, setJson] = useState('{\n  "kind": "TrendsQuery",\n}')
  const [text, setText] = useState('SELECT event, count() FROM events GROUP BY event')
  return (
    <>
      <Card title="Editors">
        <CodeBlock label="A command" code="npm ci && npm start # serves at localhost" />
        <CodeEditor label="Editor of code" value={text} onChange={setText} extensions={[]} />
        <JsonEditor label="Editor of JSON" value={json} onChange={setJson} />
      </Card>
      <CodeSamples
        samples={[
          { name: 'Node', install: 'npm install posthog-node', code: "client.getFeatureFlag('key', 'ada')" },
          { name: 'curl', code: "curl 'https://flags.example.com/flags/?v=2'" },
        ]}
      >
        Samples are for the flag.
      </CodeSamples>
      <Card title="Plot">
        <Plot
          label="Calls"
          days={['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']}
          series={[
            { label: 'true', data: [3, 5, 4, 9] },
            { label: 'false', data: [8, 6, 7, 2] },
          ]}
        />
      </Card>
    </>
  )
}

function Popups() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null)
  const close = () => setOpen(null)
  const groups: MenuGroups = [
    { heading: 'A group', items: [{ label: 'Rename…', icon: Pencil }] },
    { items: [{ label: 'Not now', disabled: true }] },
    { items: [{ label: 'Delete', icon: Trash2, isDanger: true }] },
  ]
  return (
    <Shown name="What opens">
      <Menu trigger={<Button>Menu</Button>} groups={groups} />
      <MoreMenu items={groups.flatMap(({ items }) => items)} />
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('confirm')}>Question</Button>
      <Button onClick={() => say('new-checkout deleted.', nothing)}>Message with Undo</Button>
      <Button onClick={() => sayLink('The change waits.', 'Show it', '#waits')}>Message with a link</Button>
      <Button onClick={() => sayProblem(new Problem('The service is busy.', 503), nothing)}>Failure</Button>
      {open === 'dialog' && (
        <FormDialog
          title="Rename the flag"
          description="Programs ask for it by its key."
          action="Rename"
          onClose={close}
          onSubmit={close}
        >
          <Field label="Key">{(control) => <Input {...control} defaultValue="new-checkout" />}</Field>
        </FormDialog>
      )}
      {open === 'confirm' && (
        <Confirm
          title="Delete new-checkout?"
          action="Delete the flag"
          error={new Problem('The service is busy.', 503)}
          onClose={close}
          onConfirm={close}
        >
          It is off for everyone from then on.
        </Confirm>
      )}
    </Shown>
  )
}

function Gallery() {
  return (
    <div className="content">
      <main>
        <Crumb list={{ to: '/', label: 'Where it is' }} />
        <Tabs
          label="Parts"
          current="first"
          unsaved="second"
          tabs={[
            ['first', 'First'],
            ['second', 'Second'],
          ]}
        />
        <Buttons />
        <Fields />
        <Feedback />
        <Lists />
        <Code />
        <Popups />
      </main>
      <Toasts />
    </div>
  )
}

const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory(),
})

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    {/* The types of links are those of the console's own router. */}
    <RouterProvider router={router as never} />
  </StrictMode>,
)
