import { readSettings } from '../../app/settings.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import type { CommandIo } from '../terminal/io.ts'
import { askService } from './ask-service.ts'
import type { ManagedService } from './managed-service.ts'
import { openDatabase } from './open-database.ts'
import type { ManagementArguments } from './options.ts'

/**
 * Reaches the service: by its database, or, when a running service has the file of an embedded one, by its admin API.
 *
 * @throws Error in words when neither can be had
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
    return askService({ baseUrl: url ?? `http://localhost:${PORT}`, rootToken, email, signal })
  }
}

const noRootToken = `A running service has the database file, so this is asked of its admin API: that needs ADMIN_ROOT_TOKEN.
Set it for the service and for this command, or stop the service and run this again.`
