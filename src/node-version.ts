/** The oldest Node.js that runs the service. */
const oldestMajor = 24

/**
 * Checks the version of Node.js before an entry of the package loads the service, which older versions cannot even parse.
 *
 * @throws Error that names the required version
 */
export function requireNode(entry: string): void {
  const { node } = process.versions
  if (Number(node.split('.')[0]) >= oldestMajor) return
  throw new Error(
    `${entry} needs Node.js ${oldestMajor} or later; this is Node.js ${node}. Only rollcall/client and rollcall/webhooks, which are rollcall-client as well, work on Node.js 20 or later.`,
  )
}
