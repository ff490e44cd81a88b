// What differs whichever operation is called: who calls, errors, lists, limits, and what a deployment does not have.
import type { Differences } from './difference'

export const everywhere: Partial<Differences> = {
  everywhere: [
    {
      what: 'Personal API keys and sessions call; OAuth tokens (`pha_…`), project secret keys (`phs_…`) and ID-JAG tokens are 401. A 401 says `WWW-Authenticate: Bearer` and names no resource metadata.',
      why: 'Not built: there is no OAuth server here.',
    },
    {
      what: 'Deleted flags and saved queries are deleted for good 90 days after their last change, and entries of the activity log after 730 days: then a deleted flag is a 404 and cannot be restored, and versions whose entries are gone are a 422. Both settings can be changed. Upstream keeps them.',
      why: 'A database holds 10 GB: what nobody can use must not fill it.',
    },
    {
      what: 'Where a request carries both a key and a session cookie, the key counts, but on operations that take no keys. Upstream prefers the cookie in some areas and the key in others.',
      why: 'A key was put there on purpose, a cookie comes by itself.',
    },
    {
      what: 'A key that was revoked or restricted may be served as before by another isolate for up to 30 seconds. Upstream looks keys up for every request.',
      why: 'One round trip to the database less for every call. Sessions are looked up each time.',
    },
    {
      what: 'A project is named by the path alone: `?token=` chooses none in the management API.',
      why: 'Not built: the token is public, and the path says it already.',
    },
    {
      what: 'Every member of an organization reaches all of its projects, flags and queries. There are no roles, no access rules for single objects, and no change waits for approval: the 403s and 409s of these do not occur.',
      why: 'Not built.',
    },
    {
      what: 'No mail is sent and none is waited for: invites, verification, codes at sign-in, notices of a changed password.',
      why: 'Workers have no mail of their own; a provider would be another account to set up.',
    },
    {
      what: 'Two-factor authentication is the choice of each user: `enforce_2fa` of an organization is shown, and not enforced.',
      why: 'Not built.',
    },
    {
      what: 'A page has at most 1,000 rows: a larger `limit` is cut, and `next` leads on. Upstream knows no maximum.',
      why: 'Memory and time of a Worker are bounded.',
    },
    {
      what: 'Bodies are JSON only (415 for forms), of at most 1 MiB and 100,000 values (413) and 64 levels (400). Upstream takes forms too, and larger bodies.',
      why: 'Memory and time of a Worker are bounded; a form cannot say what a flag is.',
    },
    {
      what: 'A key may call 480 times a minute, which each location counts by itself; `test_evaluation` (240 a minute) and `remote_config` (600 a minute) are counted apart, and not in the 480. What upstream allows within an hour, 4,800 calls and 1,200 of `test_evaluation`, is not counted.',
      why: 'The platform counts minutes for nothing, and no hours; counting in the database would cost every call a write.',
    },
    {
      what: 'Where the specification says that an error has no body, it has none, although upstream sends one; where it says `{error}`, the body is that, although upstream sends the envelope for some of these. The operations below say which.',
      why: 'The specification says so (Errors).',
    },
    {
      what: 'The tail of `JSON parse error - …` is in the words of another parser.',
      why: 'JavaScript reads the JSON.',
    },
    {
      what: 'JSON numbers are those of JavaScript: `1.0` is `1`, and integers past 2^53 lose digits, in payloads and properties too.',
      why: 'JavaScript reads the JSON.',
    },
    {
      what: 'A database that does not answer is a 503 with `Retry-After`, after at most 8 seconds; the write did not happen, or can be repeated. Answers carry `X-Request-Id` and `Cache-Control: private, no-store`.',
      why: 'A call that hangs helps nobody, and what is private is not for caches.',
    },
    {
      what: 'What happened to flags is listed at the flags; there is no `/api/projects/:project_id/activity_log/` for entries about anything else, though they are written.',
      why: 'Not built.',
    },
    {
      what: 'Projects, flags and queries are all there is: experiments, surveys, early access features, session replay, insights, notebooks, billing and their operations are not served, nor is an application to look at.',
      why: 'Not part of the specification.',
    },
    {
      what: 'Organizations, invites, projects, connected workspaces, variables of queries, property definitions, cohorts and dashboards have the operations and fields that those of the specification need. Upstream’s have more; they were not compared field by field.',
      why: 'The specification does not describe them.',
    },
    {
      what: 'Beyond upstream: `/health`, `/ready`, `/openapi.json` of this service, its reference at `/docs`, and `/mcp` on the service itself.',
      why: 'Whoever runs a service wants to know how it is, and its callers what it can do.',
    },
  ],
}
