// A second environment for a wrangler.toml.

/** The tables of the file as those of `[env.staging]`, with names and numbers of their own. */
export const stagingOf = (config: string): string =>
  config
    .slice(config.indexOf('[vars]'))
    .replaceAll(/^(\[+)(?!env)/gm, '$1env.staging.')
    .replaceAll(/"halyard/g, '"halyard-staging')
    .replaceAll('namespace_id = "1', 'namespace_id = "2')
