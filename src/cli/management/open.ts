import { readSettings } from '../../app/settings.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import type { CommandIo } from '../terminal/io.ts'
import type { ManagedService } from './managed-service.ts'
import { openDatabase } from './open-database.ts'
import type { ManagementArguments } from './options.ts'
import { connectToService } from './running-service.ts'

/**
 * Opens the database of the service or, when a running service uses the file of an embedded database, logs in to its admin
 * API.
 *
 * @throws Error with a message for the operator when neither works
 */
export async function openManagedService(
  { url, email }: ManagementArguments,
  { env, signal }: Pick<CommandIo, 'env' | 'signal'>,
): Promise<ManagedService> {
  const settings = readSettings(env)
  try {
    return await openDatabase(settings)
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    const { ADMIN_ROOT_TOKEN: rootToken, PORT } = settings
    if (rootToken === undefined) throw new Error(noRootToken, { cause: error })
    return connectToService({ baseUrl: url ?? `http://localhost:${PORT}`, rootToken, email, signal })
  }
}

const noRootToken = `A running service uses the database file, so this command calls its admin API, which requires ADMIN_ROOT_TOKEN.
Set it for the service and for this command, or stop the service and try again.`
