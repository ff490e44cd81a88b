// Shows the versions of a query: who made them, what differs, which ones run.
import { useInfiniteQuery } from '@tanstack/react-query'
import { GitCompare, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { ConfirmChange } from '../../edit/confirm-change'
import { doing, type Undo } from '../../edit/doing'
import { Card } from '../../design/card'
import type { Endpoint, EndpointVersion } from '../../api/client'
import { endpointKey, versionsQuery } from '../../api/saved-queries'
import { queryClient } from '../../api/queries'
import { Button } from '../../design/button'
import { OlderButton } from '../../design/older-button'
import { LoadedPart } from '../../entity/loaded-part'
import { Select, Switch } from '../../design/fields/field'
import { Avatar, Badge, nameOf, Time } from '../../design/small'
import { say } from '../../design/popups/toast'
import { refreshQueries, showQuery, updateQuery } from '../../queries/change-queries'
import { textOf } from '../draft'
import { TextDifference } from '../query-difference'
import { WriterFields, Writers } from '../../team/writers'

export default function VersionsTab({ projectId, query }: { projectId: number; query: Endpoint }) {
  const list = useInfiniteQuery(versionsQuery(projectId, query.name))
  const [compared, setCompared] = useState<{ from: string; to: string } | null>(null)
  const [restored, setRestored] = useState<EndpointVersion | null>(null)
  const [isDisabling, setIsDisabling] = useState(false)
  const setActive = (version: number, isActive: boolean) =>
    setVersionActive(projectId, query.name, version, isActive)
  return (
    <LoadedPart query={list} label="Loading the versions">
      {({ pages }) => {
        const versions = pages.flatMap(({ results }) => results)
        const options = versions.map(({ version }) => [String(version), `Version ${version}`] as const)
        const numbered = (number: string | undefined) =>
          versions.find(({ version }) => String(version) === number)
        const from = numbered(compared?.from)
        const to = numbered(compared?.to)
        return (
          <div className="stack">
            {compared && from && to && (
              <Card
                title="Difference"
                action={
                  <div className="row wrap">
                    <Select
                      label="From"
                      isSmall
                      value={compared.from}
                      options={options}
                      onChange={(value) => setCompared({ ...compared, from: value })}
                    />
                    to
                    <Select
                      label="To"
                      isSmall
                      value={compared.to}
                      options={options}
                      onChange={(value) => setCompared({ ...compared, to: value })}
                    />
                    <Button isSmall onClick={() => setCompared(null)}>
                      Close
                    </Button>
                  </div>
                }
              >
                <TextDifference
                  before={textOf(from.query)}
                  after={textOf(to.query)}
                  label={`Version ${from.version} to version ${to.version}`}
                />
              </Card>
            )}
            <section className="card padded stack" aria-label="Versions">
              <ol className="timeline">
                {versions.map((version, index) => {
                  const { version: number, version_created_by: by } = version
                  const isCurrent = number === query.current_version
                  const before = versions[index + 1]
                  return (
                    <li key={number}>
                      <Avatar person={by ?? { first_name: 'Halyard' }} />
                      <div className="row spread wrap">
                        <div>
                          <div className="row wrap">
                            <strong>Version {number}</strong>
                            {isCurrent && <Badge tone="accent">Current</Badge>}
                            {version.materialization.enabled && <Badge tone="good">Materialized</Badge>}
                          </div>
                          <div className="soft small">
                            {by ? nameOf(by) : 'Halyard'}, <Time at={version.version_created_at} />
                            {version.last_executed_at && (
                              <>
                                {' '}
                                · last run <Time at={version.last_executed_at} />
                              </>
                            )}
                          </div>
                        </div>
                        <div className="row wrap">
                          {before && (
                            <Button
                              isSmall
                              onClick={() =>
                                setCompared({ from: String(before.version), to: String(number) })
                              }
                            >
                              <GitCompare size={13} aria-hidden /> Compare with {before.version}
                            </Button>
                          )}
                          {!isCurrent && (
                            <Writers>
                              <Button isSmall onClick={() => setRestored(version)}>
                                <RotateCcw size={13} aria-hidden /> Use again
                              </Button>
                            </Writers>
                          )}
                          <span className="label small" aria-hidden>
                            {version.is_active ? 'Active' : 'Inactive'}
                          </span>
                          <WriterFields>
                            <Switch
                              isChecked={version.is_active}
                              label={`Version ${number} active`}
                              onChange={(isActive) =>
                                isCurrent && !isActive
                                  ? setIsDisabling(true)
                                  : void setActive(number, isActive)
                              }
                            />
                          </WriterFields>
                        </div>
                      </div>
                    </li>
                  )
                })}
              </ol>
              <OlderButton list={list} />
            </section>
            {isDisabling && (
              <ConfirmChange
                title={`Disable version ${query.current_version}?`}
                action="Disable"
                onClose={() => setIsDisabling(false)}
                change={() => setActive(query.current_version, false)}
              >
                It is the current version: programs that name no version get a 400 until it is active again.
              </ConfirmChange>
            )}
            {restored && (
              <Restore
                projectId={projectId}
                query={query}
                version={restored}
                onClose={() => setRestored(null)}
              />
            )}
          </div>
        )
      }}
    </LoadedPart>
  )
}

/** A version that is not active cannot be run, by number or as the current one. */
function setVersionActive(projectId: number, name: string, version: number, isActive: boolean) {
  const turn = (to: boolean): Undo => ({
    item: `Version ${version}`,
    check: null,
    change: () =>
      updateQuery(projectId, name, { version, is_active: to }).finally(
        () => void queryClient.invalidateQueries({ queryKey: endpointKey(projectId, name) }),
      ),
    said: `Version ${version} is ${to ? 'active' : 'inactive'}.`,
  })
  return doing({ ...turn(isActive), undo: turn(!isActive) })
}

interface RestoreProps {
  projectId: number
  query: Endpoint
  version: EndpointVersion
  onClose(): void
}

/** Asks before the text of a version becomes that of a new one. */
const Restore = ({ projectId, query, version, onClose }: RestoreProps) => (
  <ConfirmChange
    title={`Use version ${version.version} again?`}
    action={`Save as version ${query.current_version + 1}`}
    isDanger={false}
    onClose={onClose}
    change={async () => {
      const updated = await updateQuery(projectId, query.name, { query: version.query })
      showQuery(projectId, updated)
      void refreshQueries(projectId)
      say(
        updated.current_version === query.current_version
          ? 'The current version is the same already.'
          : `Version ${updated.current_version} has the query of version ${version.version}.`,
      )
    }}
  >
    <TextDifference before={textOf(query.query)} after={textOf(version.query)} label="Difference" />
  </ConfirmChange>
)
