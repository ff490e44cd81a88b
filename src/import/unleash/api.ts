// Responses of Unleash's admin API, as far as an import reads them.
import * as z from 'zod'

const Constraint = z.object({
  contextName: z.string(),
  operator: z.string(),
  values: z.array(z.string()).nullish(),
  value: z.string().nullish(),
  inverted: z.boolean().nullish(),
  caseInsensitive: z.boolean().nullish(),
})
export type Constraint = z.output<typeof Constraint>

const Variant = z.object({
  name: z.string(),
  weight: z.number(),
  stickiness: z.string().nullish(),
  payload: z.object({ type: z.string(), value: z.string() }).nullish(),
  overrides: z.array(z.unknown()).nullish(),
})
export type Variant = z.output<typeof Variant>

const Strategy = z.object({
  name: z.string(),
  featureName: z.string(),
  title: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  constraints: z.array(Constraint).nullish(),
  variants: z.array(Variant).nullish(),
  segments: z.array(z.number()).nullish(),
  disabled: z.boolean().nullish(),
})
export type Strategy = z.output<typeof Strategy>

const Feature = z.object({
  name: z.string(),
  description: z.string().nullish(),
  type: z.string().nullish(),
  stale: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  createdAt: z.string().nullish(),
})
export type Feature = z.output<typeof Feature>

const Dependency = z.object({
  feature: z.string(),
  enabled: z.boolean().nullish(),
  variants: z.array(z.string()).nullish(),
})
export type Dependency = z.output<typeof Dependency>

/** The response of POST /api/admin/features-batch/export. */
export const FeatureExport = z.object({
  features: z.array(Feature),
  featureStrategies: z.array(Strategy),
  featureEnvironments: z
    .array(z.object({ featureName: z.string(), enabled: z.boolean(), variants: z.array(Variant).nullish() }))
    .nullish(),
  featureTags: z
    .array(z.object({ featureName: z.string(), tagType: z.string().nullish(), tagValue: z.string() }))
    .nullish(),
  dependencies: z.array(z.object({ feature: z.string(), dependencies: z.array(Dependency) })).nullish(),
})
export type FeatureExport = z.output<typeof FeatureExport>

const Segment = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string().nullish(),
  constraints: z.array(Constraint),
})
export type Segment = z.output<typeof Segment>

export const Segments = z.object({ segments: z.array(Segment) })
export const Environments = z.object({
  environments: z.array(z.object({ name: z.string(), enabled: z.boolean().nullish() })),
})
export const Playground = z.object({
  features: z.array(
    z.object({
      name: z.string(),
      isEnabled: z.boolean(),
      variant: z.object({ name: z.string(), enabled: z.boolean() }).nullish(),
    }),
  ),
})
