import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { AuditChanges, Audited, AuditTarget, Caller } from '../../directory/audit.ts'
import { DirectoryError, refuseProblems } from '../../directory/errors.ts'
import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import type { AdminPage } from '../paging.ts'
import { isPlaceText, parseAdminPaging, partBehind, placeText, readAdminPage } from '../paging.ts'
import { isoTime, parseInstant } from '../time.ts'
import { digestKey, keyPrefix, newApiKey } from './key-text.ts'
import type { ApiKeyScope, ApiKeyStore, ManagedApiKey } from './store.ts'

/** A key as the API lists it. Times are ISO 8601, in UTC. */
export interface ApiKeyView {
  readonly id: string
  readonly name: string
  readonly prefix: string
  /** What is null is not narrowed. */
  readonly scope: { readonly tenant: string | null; readonly product: string | null; readonly readOnly: boolean }
  readonly created_at: string
  /** Null: never. */
  readonly expires_at: string | null
  /** Null: not yet. It may be a minute old. */
  readonly last_used_at: string | null
}

export interface ManagedKeysParts {
  readonly store: ApiKeyStore
  readonly audited: Audited
  /** Looks at a key anew at its next use. */
  readonly forget: (keyId: string) => void
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The keys that admins make. Inputs are in the API's field names and are checked here. */
export type ManagedKeys = ReturnType<typeof createManagedKeys>

export function createManagedKeys({ store, audited, forget, newId, clock }: ManagedKeysParts) {
  return {
    /**
     * Makes a key. It is in the answer, and is shown never again.
     *
     * @throws DirectoryError `invalid-input`
     */
    async create(input: unknown, caller: Caller): Promise<ApiKeyView & { readonly key: string }> {
      const at = clock()
      const text = newApiKey()
      const made = { id: newId(), prefix: keyPrefix(text), digest: digestKey(text), createdAt: at }
      const key: ManagedApiKey = { ...parseApiKey(input, at), ...made, lastUsedAt: undefined }
      const [target, changes] = [targetOf(key), keyChanges(undefined, key)]
      await store.createApiKey(key, audited({ action: 'api_key.created', caller, target, changes, at }))
      return { ...keyAnswer(key), key: text }
    },
    /**
     * The keys in the order of creation.
     *
     * @throws DirectoryError `invalid-input`
     */
    async list(query: unknown): Promise<AdminPage<ApiKeyView>> {
      const { limit, place } = parseAdminPaging(query, isPlaceText)
      const read = (count: number) => store.listApiKeys(partBehind(place, count))
      const { rows, pageToken } = await readAdminPage(limit, read, placeText)
      return { rows: rows.map(keyAnswer), pageToken }
    },
    /**
     * Deletes a key: it opens nothing any more, at once in this process and in others within seconds.
     *
     * @throws DirectoryError `resource-not-found`
     */
    async delete(id: string, caller: Caller): Promise<void> {
      const key = await store.getApiKey(id)
      if (key === undefined) throw notFound()
      const draft = { caller, target: targetOf(key), changes: keyChanges(key, undefined), at: clock() }
      const isDeleted = await store.deleteApiKey(id, audited({ action: 'api_key.deleted', ...draft }))
      forget(id)
      if (!isDeleted) throw notFound()
    },
  }
}

function notFound(): DirectoryError {
  return new DirectoryError('resource-not-found', 'There is no such API key.')
}

function targetOf({ id, scope: { tenant, product } }: ManagedApiKey): AuditTarget {
  return { kind: 'api-key', id, tenant, product }
}

/** What the audit trail shows of a key that is made or deleted. */
function keyChanges(before: ManagedApiKey | undefined, after: ManagedApiKey | undefined): AuditChanges {
  const [from, to] = [shownOf(before), shownOf(after)]
  return {
    name: { from: from.name ?? null, to: to.name ?? null },
    prefix: { from: from.prefix ?? null, to: to.prefix ?? null },
    scope: { from: from.scope ?? null, to: to.scope ?? null },
    expires_at: { from: from.expires_at ?? null, to: to.expires_at ?? null },
  }
}

function shownOf(key: ManagedApiKey | undefined): Partial<ApiKeyView> {
  return key === undefined ? {} : keyAnswer(key)
}

function keyAnswer({ id, name, prefix, scope, createdAt, expiresAt, lastUsedAt }: ManagedApiKey): ApiKeyView {
  return {
    ...{ id, name, prefix, scope: scopeAnswer(scope) },
    created_at: isoTime(createdAt),
    expires_at: expiresAt === undefined ? null : isoTime(expiresAt),
    last_used_at: lastUsedAt === undefined ? null : isoTime(lastUsedAt),
  }
}

function scopeAnswer({ tenant, product, readOnly }: ApiKeyScope): ApiKeyView['scope'] {
  return { tenant: tenant ?? null, product: product ?? null, readOnly }
}

const expiryMessage =
  'expires_at: a time to come, like 2030-01-31T12:00:00Z or 1896091200000 (Unix milliseconds); null for never.'

/** `POST apikey`. A field of the scope that is not known is refused: a misspelt one would widen what the key may do. */
export const ApiKeyInput = Type.Object({
  name: Type.String({
    description: 'name: text of 1 to 200 characters, without control characters.',
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\p{Cc}\\p{Cs}]+$',
  }),
  scope: Type.Optional(
    Type.Object(
      {
        tenant: ScopeInput.properties.tenant,
        product: ScopeInput.properties.product,
        readOnly: Type.Optional(Type.Boolean()),
        read_only: Type.Optional(Type.Boolean()),
      },
      {
        additionalProperties: false,
        description:
          'scope: an object of tenant and product (text of 1 to 200 characters, without ":" and control characters) and readOnly (true or false), each of which may be left out; nothing else.',
      },
    ),
  ),
  expires_at: Type.Optional(
    Type.Union([Type.String({ maxLength: 40 }), Type.Integer(), Type.Null()], { description: expiryMessage }),
  ),
})
export type ApiKeyInput = Static<typeof ApiKeyInput>

/** @throws DirectoryError `invalid-input` */
export function parseApiKey(input: unknown, now: number): Pick<ManagedApiKey, 'name' | 'scope' | 'expiresAt'> {
  const { name, scope, expires_at: expiresAt } = parseInput(ApiKeyInput, input)
  return { name, scope: scopeOf(scope), expiresAt: expiryOf(expiresAt ?? undefined, now) }
}

function scopeOf({ tenant, product, readOnly, read_only }: NonNullable<ApiKeyInput['scope']> = {}): ApiKeyScope {
  return { tenant, product, readOnly: readOnly === true || read_only === true }
}

function expiryOf(given: string | number | undefined, now: number): number | undefined {
  if (given === undefined) return undefined
  const at = parseInstant(given)
  if (at === undefined || at <= now) refuseProblems([{ field: 'expires_at', message: expiryMessage }])
  return at
}
