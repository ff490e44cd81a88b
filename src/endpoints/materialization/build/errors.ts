// How a build ends before its rows are there.

/** The version cannot be built; the message is for its author. */
export class NotBuildable extends Error {
  override readonly name = 'NotBuildable'
}

/** Another build has the version, or nobody wants it any more. */
export class BuildLost extends Error {
  override readonly name = 'BuildLost'
}
