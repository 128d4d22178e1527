import { changedDomains } from './allowed-domains.ts'
import type { Caller } from './audit.ts'
import type { ChangeDirectory, DirectoriesParts } from './change-directory.ts'
import {
  createChangeDirectory,
  directoryAudit,
  directoryNotFound,
  findDirectory,
  lifecycleEvent,
} from './change-directory.ts'
import type { Directory, DirectoryScope, GoogleConnection } from './directory.ts'
import type { DirectoryListPart, DirectoryRecords } from './directory-store.ts'
import { changedEndpoint, rejectBlockedUrl } from './endpoint.ts'
import { DirectoryError, throwProblems } from './errors.ts'
import { changedGoogleConnection, createGoogleConnectionChange } from './google-connection.ts'
import { CreateDirectoryInput, parseInput, UpdateDirectoryInput } from './inputs.ts'
import type { DirectoryType } from './provider.ts'
import { createProviderChange } from './provider-change.ts'
import { defaultRemovalLimit, parseRemovalLimit } from './removal-limit.ts'
import { newSecret } from './secret.ts'
import { createSecretRotation } from './secret-rotation.ts'

/** Manages directories. Inputs have the API's field names and are validated here; every change is audited. */
export type Directories = ReturnType<typeof createDirectories>

export function createDirectories(parts: DirectoriesParts) {
  const change = createChangeDirectory(parts)
  return {
    ...createDirectoryReads(parts.store),
    ...createDirectoryWrites(parts, change),
    ...createSecretRotation(parts, change),
    ...createProviderChange(parts),
    ...createGoogleConnectionChange(change),
  }
}

function createDirectoryReads(store: DirectoryRecords) {
  return {
    /** @throws DirectoryError `directory-not-found` */
    get: (id: string): Promise<Directory> => findDirectory(store, id),
    /** The directories of a scope in creation order, read a hundred at a time. */
    async *all(scope: DirectoryScope, offset = 0): AsyncGenerator<Directory, void, undefined> {
      const limit = 100
      let part = await store.listDirectories(scope, { offset, limit })
      while (part.length > 0) {
        yield* part
        if (part.length < limit) return
        part = await store.listDirectories(scope, { after: part.at(-1), limit })
      }
    },
    /** The deleted directories of a tenant for a product whose last events are kept. */
    leaving: store.leavingDirectories,
    /**
     * At most a hundred directories of a scope: the one with this id, and those whose name or tenant begins with the
     * text.
     */
    find: (scope: DirectoryScope, search: string): Promise<Directory[]> => searchDirectories(store, scope, search),
    /** At most `part.limit` directories of a scope, in creation order. */
    page: (scope: DirectoryScope, part: DirectoryListPart): Promise<Directory[]> => store.listDirectories(scope, part),
  }
}

const maxFound = 100

async function searchDirectories(store: DirectoryRecords, scope: DirectoryScope, search: string): Promise<Directory[]> {
  const byId = await store.getDirectory(search)
  const { tenant = byId?.tenant, product = byId?.product } = scope
  const isInScope = byId !== undefined && byId.tenant === tenant && byId.product === product
  return isInScope ? [byId] : store.findDirectories(scope, search, maxFound)
}

function createDirectoryWrites(parts: DirectoriesParts, change: ChangeDirectory) {
  const { store, access, maxPerScope, checkEndpointUrl } = parts
  return {
    /** @throws DirectoryError `invalid-input`, `too-many-directories` */
    async create(input: unknown, caller: Caller): Promise<Directory> {
      const directory = newDirectory(parseInput(CreateDirectoryInput, input), parts)
      await rejectBlockedUrl(directory.endpoint?.url, checkEndpointUrl)
      const audit = directoryAudit(parts, { action: 'directory.created', caller }, undefined, directory)
      // Whoever calls the API knows of the directory.
      const isNews = caller.kind === 'setup'
      const event = isNews ? lifecycleEvent(parts, 'directory.created', directory, caller) : undefined
      const outcome = await store.createDirectory(directory, audit, maxPerScope, event)
      if (outcome === 'too-many-directories') throw tooManyDirectories(maxPerScope)
      if (isNews) parts.onCommit?.(directory)
      return directory
    },
    /**
     * Changes the fields that the input has. An endpoint set for the first time receives only later events.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async update(id: string, input: unknown, caller: Caller): Promise<Directory> {
      const fields = parseUpdate(input)
      await rejectBlockedUrl(fields.webhook_url, checkEndpointUrl)
      const changed = (before: Directory) => updatedDirectory(before, fields, parts)
      return change(id, changed, { action: 'directory.updated', caller })
    },
    /**
     * Deletes the directory. Its undelivered events, and one about the deletion, are still sent.
     *
     * @throws DirectoryError `directory-not-found`
     */
    async delete(id: string, caller: Caller): Promise<void> {
      const before = await findDirectory(store, id)
      const audit = directoryAudit(parts, { action: 'directory.deleted', caller }, before, undefined)
      const event = lifecycleEvent(parts, 'directory.deleted', before, caller)
      const isDeleted = await store.deleteDirectory(id, event.cause.at, audit, event)
      access.forget(id)
      if (!isDeleted) throw directoryNotFound()
      parts.onCommit?.(before)
    },
  }
}

function tooManyDirectories(maxPerScope = 0): DirectoryError {
  const message = `This tenant has the maximum of ${maxPerScope} directories for this product: delete one first, or raise MAX_DIRECTORIES_PER_TENANT.`
  return new DirectoryError('too-many-directories', message)
}

function newDirectory(
  fields: CreateDirectoryInput,
  parts: Pick<DirectoriesParts, 'newId' | 'clock' | 'newEndpointSecret' | 'removalLimit'>,
): Directory {
  const { newId, clock, newEndpointSecret } = parts
  const { tenant, product, type: directoryType = 'generic-scim-v2' } = fields
  return {
    id: newId(),
    name: fields.name ?? `scim-${tenant}-${product}`,
    tenant,
    product,
    directoryType,
    scimSecret: newSecret(),
    previousScimSecret: undefined,
    endpoint: changedEndpoint(fields, undefined, newEndpointSecret),
    google: googleAfter(fields, directoryType, undefined),
    ...changedSettings(fields, unset, parts),
    adoption: fields.adoption === 'hold' ? 'hold' : undefined,
    createdAt: clock(),
    revision: 1,
  }
}

/** @throws DirectoryError `invalid-input`, also when the input has no known field */
function parseUpdate(input: unknown): UpdateDirectoryInput {
  if (typeof input === 'object' && input !== null && Reflect.get(input, 'adoption') !== undefined) {
    const message =
      'adoption: only when a directory is created. Applying the adoption ends its hold, and so does releasing the hold.'
    throwProblems([{ field: 'adoption', message }])
  }
  const fields = parseInput(UpdateDirectoryInput, input)
  const known = Object.keys(UpdateDirectoryInput.properties)
  if (known.some((field) => field in fields)) return fields
  throw new DirectoryError('invalid-input', `Send at least one field to change: ${known.join(', ')}.`)
}

function updatedDirectory(
  before: Directory,
  fields: UpdateDirectoryInput,
  parts: Pick<DirectoriesParts, 'newEndpointSecret' | 'removalLimit'>,
): Directory {
  return {
    ...before,
    name: fields.name ?? before.name,
    endpoint: changedEndpoint(fields, before.endpoint, parts.newEndpointSecret),
    google: googleAfter(fields, before.directoryType, before.google),
    ...changedSettings(fields, before, parts),
  }
}

/** @throws DirectoryError `invalid-input`, also when groups or units are chosen of a directory that has none to choose */
function googleAfter(
  fields: UpdateDirectoryInput,
  type: DirectoryType,
  before: GoogleConnection | undefined,
): GoogleConnection | undefined {
  if (type === 'extdir') return changedGoogleConnection(fields, before)
  const chosen = (['extdir_groups', 'extdir_org_units'] as const).filter((field) => fields[field]?.length)
  throwProblems(chosen.map((field) => ({ field, message: `${field}: only for directories of the type extdir.` })))
  return undefined
}

type SettingsOfDirectory = Pick<
  Directory,
  | 'logWebhookEvents'
  | 'logScimRequests'
  | 'uniqueGroupNames'
  | 'scimAuth'
  | 'scimProfile'
  | 'deactivated'
  | 'removalLimit'
  | 'domains'
>

/** The settings of a new directory that the input does not name. */
const unset = { logWebhookEvents: false, logScimRequests: false, uniqueGroupNames: false, deactivated: false }

function changedSettings(
  fields: UpdateDirectoryInput,
  before: SettingsOfDirectory,
  parts: Pick<DirectoriesParts, 'removalLimit'>,
): SettingsOfDirectory {
  return {
    logWebhookEvents: parseFlag(fields.log_webhook_events, before.logWebhookEvents),
    logScimRequests: parseFlag(fields.log_scim_requests, before.logScimRequests),
    uniqueGroupNames: parseFlag(fields.unique_group_names, before.uniqueGroupNames),
    scimAuth: fields.scim_auth ?? before.scimAuth,
    scimProfile: fields.scim_profile ?? before.scimProfile,
    deactivated: parseFlag(fields.deactivated, before.deactivated),
    ...changedRemovalLimit(fields, before, parts),
    domains: changedDomains(fields, before.domains),
  }
}

/** The removal limit after an update: null turns it off, and fields that an object omits are those of the settings. */
function changedRemovalLimit(
  { removal_limit: limit }: Pick<UpdateDirectoryInput, 'removal_limit'>,
  { removalLimit: before }: Pick<Directory, 'removalLimit'>,
  { removalLimit: ofSettings = defaultRemovalLimit }: Pick<DirectoriesParts, 'removalLimit'>,
): Pick<Directory, 'removalLimit'> {
  if (limit === undefined) return before === undefined ? {} : { removalLimit: before }
  return { removalLimit: limit && parseRemovalLimit(limit, ofSettings) }
}

function parseFlag(value: boolean | 'true' | 'false' | undefined, before: boolean): boolean {
  return value === undefined ? before : value === true || value === 'true'
}
