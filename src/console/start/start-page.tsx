// Shows the first steps of a project: send an event, evaluate a flag. Each turns green when it is done.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageHeader } from '../design/page-header'
import { flagsQuery, projectQuery } from '../api/queries'
import { buttonClass } from '../design/button'
import { Loaded } from '../entity/entity-page'
import { CodeBlock } from '../design/small'
import { pagesOf } from '../shell/pages'
import { samplesOf } from '../flag/samples/code-samples'
import './start.css'
import { Writers } from '../team/writers'

/** The poll interval while a step is open, in milliseconds. */
const LOOK_MS = 4_000

const route = getRouteApi('/project/$projectId/start')

export function StartPage() {
  const { projectId } = route.useParams()
  const project = useQuery({
    ...projectQuery(projectId),
    refetchInterval: ({ state }) => (state.data?.ingested_event ? false : LOOK_MS),
  })
  const flags = useInfiniteQuery({
    ...flagsQuery(projectId, { order: '-last_called_at' }),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.results[0]?.last_called_at ? false : LOOK_MS),
  })
  return (
    <Loaded query={project} noun="project">
      {({ api_token: token, ingested_event: hasEvent }) => (
        <Loaded query={flags} noun="flags">
          {({ pages }) => {
            const first = pages[0]?.results[0]
            const isCalled = Boolean(first?.last_called_at)
            const host = location.origin
            const key = first?.key ?? 'new-checkout'
            const samples = samplesOf({
              key,
              token,
              host,
              projectId,
            })
            return (
              <>
                <PageHeader
                  title="Get started"
                  note="Three steps from nothing to a feature that you can turn on for some."
                />
                <ol className="steps">
                  <Step
                    isDone={hasEvent}
                    title="Send an event"
                    open="Waiting for the first event…"
                    done="Events arrive."
                  >
                    <p>
                      Put this into the page of your product. It also works with every PostHog SDK: give it
                      this address and this token.
                    </p>
                    <CodeBlock label="Snippet" code={snippet(token, host)} />
                    <details>
                      <summary>Or send one by hand</summary>
                      <CodeBlock
                        label="curl"
                        code={eventSample(host, {
                          api_key: token,
                          event: 'signed up',
                          distinct_id: 'user-1',
                        })}
                      />
                    </details>
                  </Step>
                  <Step
                    isDone={first !== undefined}
                    title="Create a flag"
                    open="There is no flag yet."
                    done="There is a flag."
                  >
                    <Writers>
                      <div>
                        <Link
                          className={buttonClass({ kind: first ? 'default' : 'primary' })}
                          {...pagesOf(projectId).newFlag}
                        >
                          Create a flag
                        </Link>
                      </div>
                    </Writers>
                  </Step>
                  <Step
                    isDone={isCalled}
                    title="Ask for it in code"
                    open="Waiting for an SDK to report a call…"
                    done="The flag is called."
                  >
                    <CodeBlock label="JavaScript" code={samples[0]!.code} />
                    <p className="soft small">
                      The page of a flag has this in other languages, under Code. SDKs report each call with
                      an event; a request by hand reports none.
                    </p>
                    <details>
                      <summary>Or report one by hand</summary>
                      <CodeBlock label="curl: call" code={callSample(token, host, key)} />
                    </details>
                  </Step>
                </ol>
              </>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

interface StepProps {
  isDone: boolean
  title: string
  open: string
  done: string
  children: ReactNode
}

const Step = ({ isDone, title, open, done, children }: StepProps) => (
  <li className={`card step ${isDone ? 'done' : ''}`}>
    <header>
      <h2 className="row">
        {isDone ? <CircleCheck size={19} aria-hidden /> : <CircleDashed size={19} aria-hidden />} {title}
      </h2>
      <span className={`badge ${isDone ? 'good' : ''}`} role="status">
        {isDone ? done : open}
      </span>
    </header>
    <div className="body stack">{children}</div>
  </li>
)

const eventSample = (host: string, event: object): string =>
  `curl '${host}/i/v0/e/' -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(event)}'`

const callSample = (token: string, host: string, key: string): string =>
  eventSample(host, {
    api_key: token,
    event: '$feature_flag_called',
    distinct_id: 'user-1',
    properties: { $feature_flag: key, $feature_flag_response: true },
  })

const snippet = (token: string, host: string): string =>
  `<script src="${host}/static/array.js"></script>
<script>
  posthog.init('${token}', { api_host: '${host}' })
</script>`
