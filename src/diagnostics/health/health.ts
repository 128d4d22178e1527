import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { Listing } from '../../reads/page.ts'
import type { Activity } from './activity.ts'
import type { HealthChecks } from './checks.ts'
import { readHealth } from './facts.ts'
import type { HealthListParts } from './list.ts'
import { listHealth } from './list.ts'
import type { HealthView } from './view.ts'
import { healthView } from './view.ts'

export interface DirectoryHealthParts extends HealthListParts {
  readonly directories: { get(id: string): Promise<Directory> }
  readonly activity: Pick<Activity, 'flush'>
  readonly checks: Pick<HealthChecks, 'refresh'>
}

/** The health of directories, as the API shows it. Queries use the API's field names and are validated here. */
export interface DirectoryHealth {
  /** @throws DirectoryError `directory-not-found` */
  get(id: string): Promise<HealthView>
  /**
   * The health of the directories of a scope: a page, or a stream of all of them.
   *
   * @throws DirectoryError `invalid-input`
   */
  list(query: unknown): Promise<Listing>
}

export function createDirectoryHealth(parts: DirectoryHealthParts): DirectoryHealth {
  const { directories, activity, checks } = parts
  return {
    async get(id) {
      const directory = await directories.get(id)
      await activity.flush()
      const [health] = await readHealth(parts, [directory])
      if (health === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
      return healthView(health.facts)
    },
    list: (query) => listHealth(parts, query, () => activity.flush().then(checks.refresh)),
  }
}
