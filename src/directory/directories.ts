import type { DirectoryAccess } from './access.ts'
import type { AuditAction, Audited, AuditWrite, Caller } from './audit.ts'
import { directoryTarget } from './audit.ts'
import type { Directory, DirectoryScope, Endpoint, GoogleConnection } from './directory.ts'
import { directoryChanges } from './directory-changes.ts'
import { rotatedEndpoint, secretProblems } from './endpoint-secret.ts'
import { endpointUrlProblem } from './endpoint-url.ts'
import { DirectoryError, refuseProblems } from './errors.ts'
import { changedGoogleConnection, googleConnectionOf } from './google-connection.ts'
import type { CreateDirectoryInput, UpdateDirectoryInput } from './inputs.ts'
import {
  CreateDirectoryInput as CreateDirectory,
  parseInput,
  RotateSecretInput as RotateSecret,
  RotateWebhookSecretInput as RotateWebhookSecret,
  UpdateDirectoryInput as UpdateDirectory,
} from './inputs.ts'
import { newSecret } from './secret.ts'
import type { DirectoryRecords } from './store.ts'

/** Who does what to a directory. */
interface Doing {
  readonly action: AuditAction
  readonly caller: Caller
}

export interface DirectoriesParts {
  readonly store: DirectoryRecords
  readonly access: DirectoryAccess
  readonly audited: Audited
  readonly clock: () => number
  readonly newId: () => string
  readonly newEndpointSecret: () => string
}

/**
 * Manages directories. Inputs are in the API's field names and are checked here. Each change is written into the audit
 * trail as its caller's, in the same commit.
 */
export type Directories = ReturnType<typeof createDirectories>

/** Makes the management of directories. */
export function createDirectories({ store, access, audited, clock, newId, newEndpointSecret }: DirectoriesParts) {
  /** @throws DirectoryError `directory-not-found` */
  async function get(id: string): Promise<Directory> {
    const directory = await store.getDirectory(id)
    if (directory === undefined) throw notFound()
    return directory
  }

  /** Applies a change to the record as it is now, again whenever somebody else changed it in between; the same record is no change. */
  async function change(
    id: string,
    changed: (directory: Directory) => Directory,
    by: Doing | undefined,
  ): Promise<Directory> {
    for (;;) {
      const before = await get(id)
      const wanted = changed(before)
      if (wanted === before) return before
      const after = { ...wanted, revision: before.revision + 1 }
      const outcome = await store.replaceDirectory(after, by && written(by, before, after))
      access.forget(id)
      if (outcome === 'replaced') return after
    }
  }

  function written({ action, caller }: Doing, before: Directory | undefined, after: Directory | undefined): AuditWrite {
    const directory = after ?? before
    const target = directory ? directoryTarget(directory) : ({ kind: 'directory', id: undefined } as const)
    return audited({ action, caller, target, changes: directoryChanges(before, after), at: clock() })
  }

  return {
    get,
    /**
     * Creates a directory; see design §4.1 for the fields.
     *
     * @throws DirectoryError `invalid-input`
     */
    async create(input: unknown, caller: Caller): Promise<Directory> {
      const fields = parseInput(CreateDirectory, input)
      const endpoint = endpointOf(fields, undefined, newEndpointSecret)
      const { type: directoryType = 'generic-scim-v2' } = fields
      const directory: Directory = {
        id: newId(),
        name: fields.name ?? `scim-${fields.tenant}-${fields.product}`,
        tenant: fields.tenant,
        product: fields.product,
        directoryType,
        scimSecret: newSecret(),
        previousScimSecret: undefined,
        endpoint,
        google: directoryType === 'extdir' ? changedGoogleConnection(fields, undefined) : undefined,
        logWebhookEvents: false,
        deactivated: false,
        createdAt: clock(),
        revision: 1,
      }
      await store.createDirectory(directory, written({ action: 'directory.created', caller }, undefined, directory))
      return directory
    },
    /**
     * Changes a directory. An endpoint that is set for the first time gets the events that follow.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async update(id: string, input: unknown, caller: Caller): Promise<Directory> {
      const fields = parseInput(UpdateDirectory, input)
      if (!Object.keys(UpdateDirectory.properties).some((field) => field in fields)) {
        const known = Object.keys(UpdateDirectory.properties).join(', ')
        throw new DirectoryError('invalid-input', `Send at least one field to change: ${known}.`)
      }
      const changed = (before: Directory): Directory => ({
        ...before,
        name: fields.name ?? before.name,
        endpoint: endpointOf(fields, before.endpoint, newEndpointSecret),
        google: before.google && changedGoogleConnection(fields, before.google),
        logWebhookEvents: flag(fields.log_webhook_events, before.logWebhookEvents),
        deactivated: flag(fields.deactivated, before.deactivated),
      })
      return change(id, changed, { action: 'directory.updated', caller })
    },
    /**
     * Changes how a directory is reached that is pulled from, as it is now; nothing is written when nothing changes.
     *
     * @param caller who connects the directory; undefined when tokens are renewed, which nobody has asked for
     * @throws DirectoryError `directory-not-found`, or `invalid-input` for a directory of another type
     */
    changeGoogleConnection(
      id: string,
      changed: (extdir: GoogleConnection) => GoogleConnection,
      caller?: Caller,
    ): Promise<Directory> {
      const changedRecord = (before: Directory) => {
        const extdir = changed(googleConnectionOf(before))
        return isSame(extdir, before.google) ? before : { ...before, extdir }
      }
      return change(id, changedRecord, caller && { action: 'directory.connected', caller })
    },
    /** @throws DirectoryError `directory-not-found` */
    async delete(id: string, caller: Caller): Promise<void> {
      const before = await get(id)
      const deleted = await store.deleteDirectory(
        id,
        written({ action: 'directory.deleted', caller }, before, undefined),
      )
      access.forget(id)
      if (!deleted) throw notFound()
    },
    /**
     * Gives the directory a new SCIM secret; the old one keeps working for `grace_seconds`.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async rotateSecret(id: string, input: unknown, caller: Caller): Promise<Directory> {
      const { grace_seconds: graceSeconds = 0 } = parseInput(RotateSecret, input ?? {})
      const expiresAt = clock() + graceSeconds * 1000
      const changed = (before: Directory): Directory => ({
        ...before,
        scimSecret: newSecret(),
        previousScimSecret: graceSeconds === 0 ? undefined : { secret: before.scimSecret, expiresAt },
      })
      return change(id, changed, { action: 'directory.secret_rotated', caller })
    },
    /**
     * Gives the directory's endpoint a new secret; the old one signs as well for `grace_seconds`.
     *
     * @throws DirectoryError `invalid-input`, also when there is no endpoint; `directory-not-found`
     */
    async rotateWebhookSecret(id: string, input: unknown, caller: Caller): Promise<Directory> {
      const fields = parseInput(RotateWebhookSecret, input ?? {})
      const { grace_seconds: graceSeconds = 0, webhook_secret: given } = fields
      refuseProblems(secretProblems(given))
      const secret = given || newEndpointSecret()
      const expiresAt = graceSeconds === 0 ? undefined : clock() + graceSeconds * 1000
      const changed = (before: Directory): Directory => ({
        ...before,
        endpoint: rotatedEndpoint(before.endpoint, secret, expiresAt),
      })
      return change(id, changed, { action: 'directory.webhook_secret_rotated', caller })
    },
    /** The directories of a scope in creation order, read in parts. */
    async *all(scope: DirectoryScope, offset = 0): AsyncGenerator<Directory, void, undefined> {
      const limit = 100
      let part = await store.listDirectories(scope, { offset, limit })
      while (part.length > 0) {
        yield* part
        if (part.length < limit) return
        part = await store.listDirectories(scope, { after: part.at(-1), limit })
      }
    },
    /** At most `limit` directories of a scope, in creation order. */
    page(scope: DirectoryScope, part: Parameters<DirectoryRecords['listDirectories']>[1]): Promise<Directory[]> {
      return store.listDirectories(scope, part)
    },
  }
}

/** Whether both are stored as the same text. */
function isSame(a: GoogleConnection, b: GoogleConnection | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function notFound(): DirectoryError {
  return new DirectoryError('directory-not-found', 'There is no such directory.')
}

function flag(given: boolean | 'true' | 'false' | undefined, before: boolean): boolean {
  return given === undefined ? before : given === true || given === 'true'
}

type WebhookFields = Pick<UpdateDirectoryInput & CreateDirectoryInput, 'webhook_url' | 'webhook_secret'>

function endpointOf(
  { webhook_url: url, webhook_secret: secret }: WebhookFields,
  before: Endpoint | undefined,
  newEndpointSecret: () => string,
): Endpoint | undefined {
  const wantedUrl = url === undefined ? before?.url : url
  if (wantedUrl === undefined || wantedUrl === null || wantedUrl === '') {
    if (secret !== undefined && secret !== '') {
      refuseProblems([
        { field: 'webhook_url', message: 'webhook_url: a webhook_secret needs a webhook_url beside it.' },
      ])
    }
    return undefined
  }
  const problem = endpointUrlProblem(wantedUrl)
  refuseProblems([...(problem === undefined ? [] : [problem]), ...secretProblems(secret)])
  if (secret) return { url: wantedUrl, secret, previousSecret: undefined }
  return {
    url: wantedUrl,
    secret: before?.secret ?? newEndpointSecret(),
    previousSecret: before?.previousSecret,
  }
}
