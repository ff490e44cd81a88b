// Shows single sign-on of the organization: its provider, its domains, and whether members have to use it.
import { useMutation, useQuery } from '@tanstack/react-query'
import { client, dataOf, post } from '../api/client'
import { type SingleSignOn as Settings, type SingleSignOnBody, SSO, ssoQuery } from '../api/single-sign-on'
import { ConfirmChange } from '../edit/confirm-change'
import { SavedSwitch } from '../edit/saved-switch'
import { Card } from '../design/card'
import { inOrganization, queryClient, refresh } from '../api/queries'
import { Button, buttonClass } from '../design/button'
import { Loading, Notice, ProblemNotice } from '../design/feedback'
import { openDialog } from '../design/popups/opened'
import { say } from '../design/popups/toast'
import { Badge, CodeBlock } from '../design/small'
import { SingleSignOnForm } from './single-sign-on-form'

interface Props {
  organizationId: string
  /** Whether the user may confirm a domain without DNS. */
  isStaff: boolean
}

const store = (organizationId: string, settings: Settings) =>
  queryClient.setQueryData(ssoQuery(organizationId).queryKey, settings)

const put = (organizationId: string, body: SingleSignOnBody): Promise<Settings> =>
  dataOf(client.PUT(SSO, { params: inOrganization(organizationId), body }))

/** The settings as they are sent back. */
const bodyOf = ({
  issuer,
  client_id,
  domains,
  level_claim,
  levels,
  default_level,
  is_enforced,
}: Settings) => ({
  issuer: issuer!,
  client_id: client_id!,
  domains,
  level_claim,
  levels,
  default_level,
  is_enforced,
})

export function SingleSignOn({ organizationId, isStaff }: Props) {
  const settings = useQuery(ssoQuery(organizationId))
  const change = (stored: Settings) =>
    openDialog(
      <SingleSignOnForm
        settings={stored}
        save={(body) => put(organizationId, body)}
        onSaved={(saved) => {
          store(organizationId, saved)
          say('Single sign-on is saved.')
        }}
      />,
    )
  return (
    <Card title="Single sign-on" action={settings.data?.issuer && <State settings={settings.data} />} isFlush>
      <div className="body stack">
        {settings.isPending ? (
          <Loading label="Loading single sign-on" />
        ) : settings.isError ? (
          <ProblemNotice error={settings.error} onRetry={() => void settings.refetch()} />
        ) : settings.data.issuer ? (
          <Provider
            organizationId={organizationId}
            isStaff={isStaff}
            settings={settings.data}
            onChange={() => change(settings.data)}
          />
        ) : (
          <>
            <p className="soft">
              Members sign in at your own OpenID Connect provider, such as Google Workspace, Entra ID, Okta or
              Keycloak.
            </p>
            <div>
              <Button onClick={() => change(settings.data)}>Set up</Button>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function State({ settings }: { settings: Settings }) {
  if (settings.is_enforced) return <Badge tone="accent">Required</Badge>
  return settings.verifications.some(({ verified_at: at }) => at !== null) ? (
    <Badge tone="good">On</Badge>
  ) : (
    <Badge tone="warn">No verified domain</Badge>
  )
}

interface ProviderProps extends Props {
  settings: Settings
  onChange(): void
}

function Provider({ organizationId, isStaff, settings, onChange }: ProviderProps) {
  const test = useMutation({ mutationFn: () => post(`${SSO}test/`, inOrganization(organizationId)) })
  return (
    <>
      <p className="soft small">
        {settings.issuer} · {settings.client_id}
      </p>
      <div>
        <p className="label">Redirect URI, to enter at the provider</p>
        <CodeBlock label="Redirect URI" code={settings.redirect_uri} />
      </div>
      {settings.verifications.map((each) => (
        <Domain key={each.domain} organizationId={organizationId} isStaff={isStaff} verification={each} />
      ))}
      <SavedSwitch
        title="Require single sign-on"
        hint="Members with an address in a verified domain cannot use a password. Owners can."
        isChecked={settings.is_enforced}
        save={async (isOn) => {
          store(organizationId, await put(organizationId, { ...bodyOf(settings), is_enforced: isOn }))
          say(isOn ? 'Single sign-on is required.' : 'Single sign-on is not required any more.')
        }}
      />
      <div className="row wrap">
        <Button isSmall onClick={onChange}>
          Change…
        </Button>
        <Button isSmall isBusy={test.isPending} onClick={() => test.mutate()}>
          Test the provider
        </Button>
        <a className={buttonClass({ isSmall: true })} href="/login/sso/test" target="_blank" rel="noreferrer">
          Sign in to test
        </a>
        <Button isSmall onClick={() => openDialog(<Remove organizationId={organizationId} />)}>
          Remove…
        </Button>
      </div>
      {test.isError && <ProblemNotice error={test.error} />}
      {test.data?.checks.map(({ name, is_ok: isOk, detail }) => (
        <Notice key={name} tone={isOk ? 'good' : 'bad'}>
          {detail}
        </Notice>
      ))}
    </>
  )
}

const Remove = ({ organizationId }: { organizationId: string }) => (
  <ConfirmChange
    title="Remove single sign-on?"
    action="Remove"
    change={async () => {
      await client.DELETE(SSO, { params: inOrganization(organizationId) })
      await refresh(ssoQuery(organizationId))
      say('Single sign-on is removed.')
    }}
  >
    <p>Members sign in with passwords. Those who have none need a link that sets one.</p>
  </ConfirmChange>
)

interface DomainProps extends Props {
  verification: Settings['verifications'][number]
}

function Domain({ organizationId, isStaff, verification }: DomainProps) {
  const { domain, verified_at: verifiedAt, txt_record: record } = verification
  const verify = useMutation({
    mutationFn: (isConfirmed: boolean) =>
      post(`${SSO}verify_domain/`, inOrganization(organizationId), { domain, confirm: isConfirmed }),
    onSuccess(saved) {
      store(organizationId, saved)
      say(`${domain} is verified.`)
    },
  })
  return (
    <div className="stack" role="group" aria-label={domain}>
      <div className="row wrap">
        <strong>{domain}</strong>
        {verifiedAt === null ? <Badge tone="warn">Not verified</Badge> : <Badge tone="good">Verified</Badge>}
      </div>
      {verifiedAt === null && (
        <>
          <p className="small">Add this TXT record to the DNS of the domain, and verify it.</p>
          <CodeBlock label={`TXT record of ${domain}`} code={record} />
          <div className="row wrap">
            <Button isSmall isBusy={verify.isPending} onClick={() => verify.mutate(false)}>
              Verify
            </Button>
            {isStaff && (
              <Button isSmall isBusy={verify.isPending} onClick={() => verify.mutate(true)}>
                Confirm without DNS
              </Button>
            )}
          </div>
          {verify.isError && <ProblemNotice error={verify.error} />}
        </>
      )}
    </div>
  )
}
