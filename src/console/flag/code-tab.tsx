import { useQuery } from '@tanstack/react-query'
import type { Flag } from '../api/client'
import { groupTypesQuery, projectQuery } from '../api/queries'
import { CodeSamples } from '../design/code/code-samples'
import { Loading } from '../design/feedback'
import { LoadedPart } from '../entity/loaded-part'
import { samplesOf } from './samples/code-samples'
import { groupTypesOf } from '../grammar/sets'
import { variantsOf } from './draft'

/** Code that evaluates the flag, with the project's own token and address. */
export default function CodeTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const project = useQuery(projectQuery(projectId))
  const types = useQuery(groupTypesQuery(projectId))
  if (types.isPending) return <Loading />
  return (
    <LoadedPart query={project}>
      {({ api_token: token }) => {
        const { filters } = flag
        const indexes = groupTypesOf(filters)
        const samples = samplesOf({
          key: flag.key,
          token,
          host: location.origin,
          projectId,
          variants: variantsOf(filters).map(({ key }) => key),
          isConfig: flag.is_remote_configuration === true,
          isEncrypted: flag.has_encrypted_payloads === true,
          groupTypes: (types.data ?? [])
            .filter(({ group_type_index: index }) => indexes.includes(index))
            .map(({ group_type: type }) => type),
          contexts: flag.evaluation_contexts,
          runtime: flag.evaluation_runtime,
        })
        return (
          <CodeSamples samples={samples}>
            {flag.has_encrypted_payloads
              ? 'Only a key reads an encrypted value: keep it on servers. You make one in your account.'
              : 'The token may be public: it reads flags and sends events, and nothing else.'}
          </CodeSamples>
        )
      }}
    </LoadedPart>
  )
}
