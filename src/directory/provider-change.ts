import type { Caller } from './audit.ts'
import type { DirectoriesParts } from './change-directory.ts'
import { directoryAudit, findDirectory } from './change-directory.ts'
import type { Directory } from './directory.ts'
import { DirectoryError } from './errors.ts'
import { authorizationStatus, changedGoogleConnection } from './google-connection.ts'
import type { DirectoryType } from './provider.ts'
import { providers } from './provider.ts'
import { newSecret } from './secret.ts'

/** The directory after its provider was changed. */
export interface ProviderChanged {
  readonly directory: Directory
  /** Whether its SCIM secret was replaced, because nobody has used it. */
  readonly hasNewSecret: boolean
}

/** Changes the identity provider that a directory is for. */
export function createProviderChange(parts: Pick<DirectoriesParts, 'store' | 'access' | 'audited' | 'clock'>) {
  const { store, access } = parts
  return {
    /**
     * Changes the type of a directory in place: its id and its data stay. A directory in which nothing ever changed starts
     * over with a new SCIM secret. After the first change, only one SCIM provider can be changed to another, and the
     * secret stays.
     *
     * @throws DirectoryError `directory-not-found`, `directory-in-use`
     */
    async changeProvider(id: string, type: DirectoryType, caller: Caller): Promise<ProviderChanged> {
      for (;;) {
        const before = await findDirectory(store, id)
        if (before.directoryType === type) return { directory: before, hasNewSecret: false }
        const isUnused = !isConnected(before) && !(await store.hadEvents(id))
        const after = isUnused ? begunAnew(before, type) : withAnotherScimProvider(before, type)
        const audit = directoryAudit(parts, { action: 'directory.updated', caller }, before, after)
        // If an event arrives in between, this fails and the next attempt finds it.
        const outcome = await store.replaceDirectory(after, audit, { onlyWithoutEvents: isUnused })
        access.forget(id)
        if (outcome === 'replaced') return { directory: after, hasNewSecret: isUnused }
      }
    },
  }
}

function isConnected({ google }: Directory): boolean {
  return google !== undefined && authorizationStatus(google) !== 'none'
}

function begunAnew(before: Directory, directoryType: DirectoryType): Directory {
  return {
    ...before,
    directoryType,
    google: directoryType === 'extdir' ? changedGoogleConnection({}, undefined) : undefined,
    scimSecret: newSecret(),
    previousScimSecret: undefined,
    revision: before.revision + 1,
  }
}

/** @throws DirectoryError `directory-in-use` when one of the two is not a SCIM provider */
function withAnotherScimProvider(before: Directory, directoryType: DirectoryType): Directory {
  if (before.google === undefined && directoryType !== 'extdir') {
    return { ...before, directoryType, revision: before.revision + 1 }
  }
  const message = `This directory is already connected to ${providers[before.directoryType]}, and would lose what it has received: ask the person who sent you the link for a link to a new directory.`
  throw new DirectoryError('directory-in-use', message)
}
