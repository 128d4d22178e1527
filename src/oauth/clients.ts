import type { AuditChanges, Audited, Caller } from '../directory/audit.ts'
import { directoryTarget } from '../directory/audit.ts'
import type { CachedRecords } from '../directory/change-directory.ts'
import { directoryNotFound, findDirectory } from '../directory/change-directory.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import { DirectoryError, throwProblems } from '../directory/errors.ts'
import { digestClientSecret, newClientSecret } from './client-secret.ts'
import type { ChosenClient } from './inputs.ts'
import { parseOAuthClient } from './inputs.ts'
import type { OAuthClient, OAuthClientView } from './oauth-client.ts'
import { maxClients, oauthClientView } from './oauth-client.ts'
import type { OAuthClientStore } from './oauth-client-store.ts'

export interface OAuthClientsParts {
  readonly store: Pick<OAuthClientStore, 'createOAuthClient' | 'listOAuthClients' | 'deleteOAuthClient'> &
    Pick<DirectoryRecords, 'getDirectory'>
  readonly access: CachedRecords
  readonly audited: Audited
  /** The key of `digestClientSecret`. */
  readonly secretKey: string
  /** The reason why keys must not be fetched from the host of a URL; undefined when they may. */
  readonly checkUrl: (url: string) => Promise<string | undefined>
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The OAuth clients of directories. Inputs have the API's field names and are validated here; changes are audited. */
export type OAuthClients = ReturnType<typeof createOAuthClients>

export function createOAuthClients(parts: OAuthClientsParts) {
  const { store, access, audited, secretKey, newId, clock } = parts
  return {
    /**
     * Creates a client. The secret of one with a secret is only returned here.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `too-many-clients`
     */
    async create(directoryId: string, input: unknown, caller: Caller): Promise<NewOAuthClient> {
      const at = clock()
      const directory = await findDirectory(store, directoryId)
      if (directory.google !== undefined) throw withoutScim()
      const chosen = parseOAuthClient(input, at)
      await rejectBlockedUrls(chosen, parts.checkUrl)
      const secret = chosen.type === 'secret' ? newClientSecret() : undefined
      const basics = { id: newId(), directoryId, createdAt: at, lastUsedAt: undefined }
      const client: OAuthClient =
        chosen.type === 'secret'
          ? { ...chosen, ...basics, secretDigest: digestClientSecret(secret ?? '', secretKey) }
          : { ...chosen, ...basics }
      const audit = audited({ ...draftOf(directory, caller, at), ...created(client) })
      const outcome = await store.createOAuthClient(client, audit, maxClients)
      if (outcome === 'directory-not-found') throw directoryNotFound()
      if (outcome === 'too-many-clients') throw tooManyClients()
      access.forget(directoryId)
      return secret === undefined ? oauthClientView(client) : { ...oauthClientView(client), client_secret: secret }
    },
    /**
     * The clients of a directory, in creation order, without secrets.
     *
     * @throws DirectoryError `directory-not-found`
     */
    async list(directoryId: string): Promise<OAuthClientView[]> {
      await findDirectory(store, directoryId)
      return (await store.listOAuthClients(directoryId)).map(oauthClientView)
    },
    /**
     * Deletes a client, which ends its access tokens: in this process at once, and in others within two seconds. Writes
     * that are under way are refused everywhere.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found`
     */
    async delete(directoryId: string, id: string, caller: Caller): Promise<void> {
      const directory = await findDirectory(store, directoryId)
      const client = (await store.listOAuthClients(directoryId)).find((one) => one.id === id)
      if (client === undefined) throw clientNotFound()
      const audit = audited({ ...draftOf(directory, caller, clock()), ...deleted(client) })
      const isDeleted = await store.deleteOAuthClient(directoryId, id, audit)
      access.forget(directoryId)
      if (!isDeleted) throw clientNotFound()
    },
  }
}

/** A client as its creation returns it. */
export type NewOAuthClient = OAuthClientView & { readonly client_secret?: string }

function withoutScim(): DirectoryError {
  const message = 'This directory is read from Google Workspace: nobody signs in to it.'
  return new DirectoryError('invalid-input', message)
}

function tooManyClients(): DirectoryError {
  return new DirectoryError(
    'too-many-clients',
    `This directory has the maximum of ${maxClients} OAuth clients: delete one that is no longer used first.`,
  )
}

function clientNotFound(): DirectoryError {
  return new DirectoryError('resource-not-found', 'This directory has no OAuth client with this id.')
}

/** @throws DirectoryError `invalid-input`: keys must not be fetched from the host */
async function rejectBlockedUrls(chosen: ChosenClient, check: OAuthClientsParts['checkUrl']): Promise<void> {
  if (chosen.type === 'secret') return
  const field = chosen.jwksUrl === undefined ? 'issuer' : 'jwks_url'
  const reason = await check(chosen.jwksUrl ?? chosen.issuer)
  if (reason !== undefined) throwProblems([{ field, message: `${field}: ${reason}` }])
}

function draftOf(directory: Directory, caller: Caller, at: number) {
  return { caller, target: directoryTarget(directory), at }
}

function created(client: OAuthClient) {
  return { action: 'oauth_client.created', changes: changesOf(undefined, client) } as const
}

function deleted(client: OAuthClient) {
  return { action: 'oauth_client.deleted', changes: changesOf(client, undefined) } as const
}

/** Everything that is shown of a client but the times that say little. */
function changesOf(before: OAuthClient | undefined, after: OAuthClient | undefined): AuditChanges {
  const [from, to] = [shownOf(before), shownOf(after)]
  const fields = ['client_id', 'type', 'name', 'expires_at', 'issuer', 'subject', 'audience', 'jwks_url'] as const
  const changes = fields.map((field) => [field, { from: from[field] ?? null, to: to[field] ?? null }] as const)
  return Object.fromEntries(changes.filter(([, change]) => change.from !== change.to))
}

function shownOf(client: OAuthClient | undefined): Partial<OAuthClientView> {
  return client === undefined ? {} : oauthClientView(client)
}
