// The metrics of a deployment, as `/metrics` has them.
import { Failure, Skip } from './outcome'
import { describe, type Service } from './service'

export interface Metrics {
  /** Returns the values of a metric, with its labels as text. There are none when it is absent. */
  samples(name: string): { labels: string; value: number }[]
}

/** @throws Skip without a token; Failure when the service does not accept it */
export async function readMetrics(service: Service, token: string | null): Promise<Metrics> {
  if (!token) throw new Skip('only operators see it: set METRICS_TOKEN')
  const answer = await service.send('GET', '/metrics', { headers: { Authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Failure(describe('GET /metrics', answer))
  const lines = [...answer.text.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)]
  return {
    samples: (wanted) =>
      lines
        .filter(([, name]) => name === wanted)
        .map(([, , labels, value]) => ({ labels: labels ?? '', value: Number(value) })),
  }
}
