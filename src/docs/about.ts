// What the document says before any operation: how to call, what comes back when it fails, how lists are read, what is bounded.

import { HOURS } from '../endpoints/run/throttle'
import { ROOM } from '../endpoints/run/gate'
import { CALLS_A_MINUTE } from './limits'

const { KEY_RATE, RUN_RATE } = CALLS_A_MINUTE
const number = (value: number) => value.toLocaleString('en')

export const ABOUT = `
Feature flags, accounts and saved queries as one HTTP API at the edge. It speaks the API of PostHog: clients and SDKs that were written for
that API work against it unchanged. The reference at [/docs](/docs) is drawn from [/openapi.json](/openapi.json).

## Who calls

- **Programs** send a personal API key: \`Authorization: Bearer phx_…\`. A key opens what its scopes name: \`feature_flag:read\` reads flags,
  \`feature_flag:write\` changes and reads them, \`*\` opens everything. It can be bound to organizations or projects. Every operation says which
  scope it needs. A revoked key may be served for up to 30 seconds more.
- **People** sign in at [/login](/login), or with \`POST /api/login/\`. The session is a cookie; what changes something repeats the cookie
  \`posthog_csrftoken\` in the header \`X-CSRFToken\`. Some operations want a sign-in that is less than two hours old.
- **Applications** that ask for flags or send events use the public token of their project (\`phc_…\`), in the body or the path.

## What is sent, and what comes back

Bodies are JSON in UTF-8, at most 1 MiB (20 MiB where SDKs call) and 64 levels deep. Times are ISO 8601; those in answers are in UTC. Paths answer
with and without their last slash. \`@current\` stands for the project or organization that the caller works in, \`@me\` for the caller. Every
answer carries \`X-Request-Id\`, which finds its line in the log.

## Errors

An error has a status, and a body that names the first field that is not acceptable:

\`\`\`json
{ "type": "validation_error", "code": "required", "detail": "This field is required.", "attr": "key" }
\`\`\`

\`code\` is for programs, \`detail\` for people; \`attr\` is null where the request as a whole is meant. A request that is refused has changed
nothing. Where a status has another body, the operation shows it. Besides what operations list, a path that exists answers 405 with \`Allow\` to
methods that it does not have, and a failure of the service is a 500 without a word about its inside. 429 and 503 say in \`Retry-After\` after how
many seconds to try again.

## Lists

\`limit\` (100 unless told, at most 1,000) and \`offset\` choose the page. \`count\` is how many there are in all; \`next\` and \`previous\` are whole
URLs, and null at the ends.

## Limits

A key may call ${KEY_RATE} times a minute. Operations with a limit of their own name it under 429; where that is a key's, they are not among the
${KEY_RATE}: saved queries may be run ${RUN_RATE} times a minute and ${number(HOURS.inline.calls)} times an hour (${number(HOURS.materialized.calls)} where rows are kept ready). A project has at most 2,000
live flags unless the deployment says otherwise, and ${ROOM} queries under way at once.

## Samples

Every operation has one that works when it is pasted, twice too, and makes what it needs. They want \`curl\` and Node in a shell that knows where
the service is, a key with all scopes, and the token of the project:

\`\`\`sh
export HALYARD=https://halyard.example.com
export KEY=phx_…
export TOKEN=phc_…
\`\`\`

In JavaScript they are modules for Node, \`node --input-type=module\`, which read the same variables.

Those that only a session may call read its cookies from the file \`$JAR\`:

\`\`\`sh
export JAR=$(mktemp)
curl -s -c $JAR $HALYARD/api/login/ \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "password": "…"}'
\`\`\`

The tour in the README sets all of these for a service on one's own machine.
`.trim()
