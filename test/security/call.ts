// From an operation's literal and its sample to a request.
import { expect } from 'vitest'
import { areas } from '../../src/areas'
import { isUserScope } from '../../src/auth/scopes'
import type { Operation } from '../../src/http/operation'
import type { TestResponse } from '../support/harness'
import { type Browser, signIn } from '../support/session'
import { setLevel, type Tenant } from '../support/tenant'
import { sampleOf } from './samples'

/** Those that ask who calls. */
const inEveryForm: readonly Operation[] = areas
  .flatMap((area) => area.operations)
  .filter(({ access }) => access !== 'public')

const isInEnvironment = ({ path }: Operation): boolean => path.startsWith('/api/environments/')

/** Operations under `/api/environments/`. They are operations of projects under another path, which environments.test.ts compares. */
export const inEnvironments = inEveryForm.filter(isInEnvironment)
/** The operations, without their second form. */
export const operations = inEveryForm.filter((operation) => !isInEnvironment(operation))

/** In both forms, as whose project it is depends on the path. */
export const inProjectsByEachPath = inEveryForm.filter(({ path }) => /:(project|environment)_id/.test(path))
export const inProjects = operations.filter(({ path }) => path.includes(':project_id'))
export const withBody = operations.filter(({ body }) => body)
/** The segment of a path that names one thing of a project. */
export const thingOf = ({ path }: Operation): string | undefined =>
  /:(?!project_id|environment_id|organization_id)(\w+)/.exec(path)?.[1]
/** Operations on one thing of a project, which may be another's. */
export const onThings = inProjects.filter(thingOf)
export const inOrganizations = operations.filter(
  ({ path }) => path.includes(':organization_id') && !path.includes(':project_id'),
)
/** Operations on a project that its organization is named with. */
export const inBoth = inProjects.filter(({ path }) => path.includes(':organization_id'))
/** Operations of the user that a key calls, whose paths name no project and no organization. */
export const ofUserByKey = operations.filter(({ scope }) => scope !== null && isUserScope(scope))
/** Operations on a user. */
export const onUsers = operations.filter(({ path }) => path.startsWith('/api/users/:uuid/'))

export const ABSENT = 999_999_999

export type Params = Record<string, string | number>

/** The path of an operation, its parameters filled in. An environment is its project by another name. */
export const pathOf = ({ path }: Operation, params: Params): string =>
  path.replace(':environment_id', ':project_id').replace(/:(\w+)/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`test/security/samples.ts needs ${name} of ${path}`)
    return encodeURIComponent(String(params[name])).replace('%40', '@')
  })

/** The same, with the query of its sample behind it. */
export function fill(operation: Operation, params: Params): string {
  const { id } = operation
  const filled = pathOf(operation, params)
  const query = new URLSearchParams(sampleOf(id).query)
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** Valid parameters of an operation, for something that `tenant` has. Lifts the tenant's user to the level that it takes. */
export async function paramsFor({ id }: Operation, tenant: Tenant): Promise<Params> {
  const { level, params } = sampleOf(id)
  if (level) await setLevel(tenant, level)
  return {
    project_id: tenant.projectId,
    organization_id: tenant.organizationId,
    uuid: '@me',
    ...(await params?.(tenant)),
  }
}

export interface Call {
  params: Params
  /** Unless told: the tenant's key, or for operations that take none a session. Null: no credentials at all. */
  key?: string | null
  /** Calls with a session in place of a key. */
  browser?: Browser
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
  path?: string
}

const browsers = new WeakMap<Tenant, Promise<Browser>>()

/** The browser that a tenant's user is signed in with. */
export function browserOf(tenant: Tenant): Promise<Browser> {
  const browser = browsers.get(tenant) ?? signIn(tenant)
  browsers.set(tenant, browser)
  return browser
}

/** Sends an operation as `tenant`, with whatever is said otherwise. */
export async function call(
  tenant: Tenant,
  operation: Operation,
  { params, key, browser, headers, ...rest }: Call,
): Promise<TestResponse> {
  const sample = sampleOf(operation.id)
  const session = browser ?? (key === undefined && operation.scope === null ? await browserOf(tenant) : null)
  const prepared = session && (await sample.forSession?.(tenant, session))
  const credentials: Record<string, string> =
    session?.headers ?? (key === null ? {} : { Authorization: `Bearer ${key ?? tenant.key}` })
  const body = operation.body && !rest.raw ? { body: rest.body ?? prepared?.body ?? sample.body ?? {} } : {}
  const path = rest.path ?? fill(operation, { ...params, ...prepared?.params })
  return tenant.send(operation.method.toUpperCase(), path, {
    ...body,
    ...(rest.raw === undefined ? {} : { raw: rest.raw }),
    headers: { ...credentials, ...headers },
  })
}

/** The status of success, or the only one where the operation has none. */
export const firstStatus = ({ responses }: Operation): number =>
  Math.min(...Object.keys(responses).map(Number))

/** The operation did what it does: one of its own answers or that of its sample, and not the one for a missing thing. */
export function expectDone(operation: Operation, { status }: { status: number }): void {
  const { answers } = sampleOf(operation.id)
  expect([...Object.keys(operation.responses).map(Number), answers]).toContain(status)
  expect(status).not.toBe(404)
}

/** The envelope of a rejection. */
const refusal = (type: string, code: string, detail: string) => ({ type, code, detail, attr: null })
export const unauthorized = (code: string, detail: string) => ({
  status: 401,
  body: refusal('authentication_error', code, detail),
})
const missing = (detail: string) => ({
  status: 404,
  body: refusal('invalid_request', 'not_found', detail),
})
export const PROJECT_NOT_FOUND = missing('Project not found.')
export const ORGANIZATION_NOT_FOUND = missing('Organization not found.')
