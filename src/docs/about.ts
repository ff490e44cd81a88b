// The introduction of the OpenAPI document.

import { HOURS } from '../endpoints/run/run-throttle'
import { MAX_CONCURRENT_RUNS } from '../endpoints/run/concurrency-limit'
import { CALLS_A_MINUTE } from './limits'

const { KEY_RATE, RUN_RATE } = CALLS_A_MINUTE
const number = (value: number) => value.toLocaleString('en')

export const ABOUT = `
Feature flags, accounts and saved queries as one HTTP API at the edge. It implements PostHog's API for these, so that PostHog's clients and
SDKs work with it; the compatibility guide lists the differences. The reference at [/docs](/docs) shows [/openapi.json](/openapi.json).
The repository has guides for users and operators under \`src/docs/guide\`.

## Authentication

- **Programs** send a personal API key: \`Authorization: Bearer phx_…\`. Its scopes limit it: \`feature_flag:read\` reads flags,
  \`feature_flag:write\` changes and reads them, \`*\` allows everything. A key can be restricted to organizations or projects. Every
  operation names its scope. A revoked key may work for up to 30 seconds more.
- **People** sign in at [/login](/login) or with \`POST /api/login/\`, and send the session cookie. Unsafe methods also send the cookie
  \`posthog_csrftoken\` as the header \`X-CSRFToken\`. Some operations require a sign-in within the last two hours.
- **Applications** that evaluate flags or send events use the public project token (\`phc_…\`), in the body or the path.

## Requests and responses

Bodies are JSON in UTF-8, at most 1 MiB (20 MiB for events) and 64 levels deep. Times are ISO 8601; those in responses are in UTC. Paths
work with and without a trailing slash. \`@current\` is the caller's current project or organization, \`@me\` the caller. Every response has
\`X-Request-Id\`, which finds its line in the log.

## Errors

An error has a status, and a body that names the first invalid field:

\`\`\`json
{ "type": "validation_error", "code": "required", "detail": "This field is required.", "attr": "key" }
\`\`\`

\`code\` is for programs, \`detail\` for people; \`attr\` is null if the error concerns the whole request. A rejected request changes nothing.
Operations show other bodies where they differ. Besides the errors that an operation lists, an unsupported method gets 405 with \`Allow\`, and
a failure of the service 500 without internals. 429 and 503 have \`Retry-After\` in seconds.

## Lists

\`limit\` (default 100, at most 1,000) and \`offset\` choose the page. \`count\` is the total; \`next\` and \`previous\` are complete URLs, null
at the ends.

## Limits

A key may call ${KEY_RATE} times a minute. Operations with a limit of their own name it under 429; their calls do not count towards the
${KEY_RATE}: saved queries may run ${RUN_RATE} times a minute and ${number(HOURS.inline.calls)} times an hour (${number(HOURS.materialized.calls)} from materialized rows). A project has at most 2,000
live flags by default, and ${MAX_CONCURRENT_RUNS} running queries.

## Samples

Every operation has a sample that works when pasted, also repeatedly, and creates what it needs. Samples use \`curl\` and Node, and these
variables (a key with all scopes, and the project token):

\`\`\`sh
export HALYARD=https://halyard.example.com
export KEY=phx_…
export TOKEN=phc_…
\`\`\`

JavaScript samples are modules for \`node --input-type=module\` with the same variables. Samples of operations for sessions read cookies from
the file \`$JAR\`:

\`\`\`sh
export JAR=$(mktemp)
curl -s -c $JAR $HALYARD/api/login/ \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "password": "…"}'
\`\`\`

The tour (\`src/docs/guide/tour.md\`) sets these variables for a local service.
`.trim()
