/** What there are builds of ClickHouse's engine for. */
const BUILDS = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])

/** Alpine and its like have another C library than the builds are made for. */
const isMusl = () =>
  process.platform === 'linux' &&
  !(process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime

/** @returns what there is no build for, when it is this machine. */
export function missingBuild(): string | null {
  const platform = `${process.platform}-${process.arch}`
  return BUILDS.has(platform) && !isMusl() ? null : `${platform}${isMusl() ? ' with musl' : ''}`
}
