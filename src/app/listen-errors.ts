/** Another process listens on the port. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse'
}

export interface ListenAddress {
  /** The setting of the port. */
  readonly setting: 'PORT' | 'METRICS_PORT'
  readonly port: number
  readonly host: string
}

/**
 * Waits for a server to listen.
 *
 * @throws Error with a message that names the setting to change when the port cannot be used
 */
export async function listening<T>(server: Promise<T>, address: ListenAddress): Promise<T> {
  try {
    return await server
  } catch (error) {
    throw describeListenError(error, address)
  }
}

function describeListenError(error: unknown, { setting, port, host }: ListenAddress): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const cause = { cause: error }
  const isUnknownAddress = error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
  if (error.code === 'EADDRINUSE')
    return new PortInUse(`Port ${port} is in use: stop the other process, or set ${setting} to another port.`, cause)
  if (error.code === 'EACCES')
    return new Error(`Port ${port} on ${host} requires more privileges: set ${setting} to another port.`, cause)
  return isUnknownAddress
    ? new Error(`This machine has no address ${host}: set HOST to one of its addresses, or to 0.0.0.0 for all.`, cause)
    : error
}
