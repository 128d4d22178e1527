import type { AuditChanges, Audited, AuditTarget, Caller } from '../../directory/audit.ts'
import { DirectoryError, throwProblems } from '../../directory/errors.ts'
import { DefaultPagingInput, defaultPageLimit, parseInput, ScopeInput } from '../../directory/inputs.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Page } from '../../reads/page.ts'
import { creationTokens, pageOf } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import { isoTime, parseInstant } from '../time.ts'
import type { ApiKeyScope, ApiKeyStore, ManagedApiKey } from './api-key-store.ts'
import { digestKey, keyPrefix, newApiKey } from './key-text.ts'

/** A key as the API lists it. Times are ISO 8601 in UTC. */
export interface ApiKeyView {
  readonly id: string
  readonly name: string
  readonly prefix: string
  /** Null means not restricted. */
  readonly scope: { readonly tenant: string | null; readonly product: string | null; readonly readOnly: boolean }
  readonly created_at: string
  /** Null: never. */
  readonly expires_at: string | null
  /** Null: not yet. It may be a minute late. */
  readonly last_used_at: string | null
}

export interface ManagedKeysParts {
  readonly store: ApiKeyStore
  readonly audited: Audited
  /** Drops a key from the cache of `KeyFinder`. */
  readonly forget: (keyId: string) => void
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The API keys that admins create. Inputs have the API's field names and are validated here. */
export type ManagedKeys = ReturnType<typeof createManagedKeys>

export function createManagedKeys({ store, audited, forget, newId, clock }: ManagedKeysParts) {
  return {
    /**
     * Creates a key, which is only returned here.
     *
     * @throws DirectoryError `invalid-input`
     */
    async create(input: unknown, caller: Caller): Promise<ApiKeyView & { readonly key: string }> {
      const at = clock()
      const text = newApiKey()
      const made = { id: newId(), prefix: keyPrefix(text), digest: digestKey(text), createdAt: at }
      const key: ManagedApiKey = { ...parseApiKey(input, at), ...made, lastUsedAt: undefined }
      const [target, changes] = [keyTarget(key), keyChanges(undefined, key)]
      await store.createApiKey(key, audited({ action: 'api_key.created', caller, target, changes, at }))
      return { ...keyView(key), key: text }
    },
    /**
     * The keys, in creation order.
     *
     * @throws DirectoryError `invalid-input`
     */
    async list(query: unknown): Promise<Page<ApiKeyView>> {
      const { pageLimit: limit = defaultPageLimit, pageToken: token } = parseQuery(DefaultPagingInput, query)
      const found = await store.listApiKeys({ after: creationTokens.read(token), limit: limit + 1 })
      const { rows, pageToken } = pageOf(found, limit, creationTokens.write)
      return { rows: rows.map(keyView), pageToken }
    },
    /**
     * Deletes a key. It is rejected immediately by this process and within seconds by others.
     *
     * @throws DirectoryError `resource-not-found`
     */
    async delete(id: string, caller: Caller): Promise<void> {
      const key = await store.getApiKey(id)
      if (key === undefined) throw notFound()
      const draft = { caller, target: keyTarget(key), changes: keyChanges(key, undefined), at: clock() }
      const isDeleted = await store.deleteApiKey(id, audited({ action: 'api_key.deleted', ...draft }))
      forget(id)
      if (!isDeleted) throw notFound()
    },
  }
}

function notFound(): DirectoryError {
  return new DirectoryError('resource-not-found', 'There is no such API key.')
}

function keyTarget({ id, scope: { tenant, product } }: ManagedApiKey): AuditTarget {
  return { kind: 'api-key', id, tenant, product }
}

/** The changes that the audit trail records of a key that is created or deleted. */
function keyChanges(before: ManagedApiKey | undefined, after: ManagedApiKey | undefined): AuditChanges {
  const [from, to] = [viewOf(before), viewOf(after)]
  return {
    name: { from: from.name ?? null, to: to.name ?? null },
    prefix: { from: from.prefix ?? null, to: to.prefix ?? null },
    scope: { from: from.scope ?? null, to: to.scope ?? null },
    expires_at: { from: from.expires_at ?? null, to: to.expires_at ?? null },
  }
}

function viewOf(key: ManagedApiKey | undefined): Partial<ApiKeyView> {
  return key === undefined ? {} : keyView(key)
}

function keyView({ id, name, prefix, scope, createdAt, expiresAt, lastUsedAt }: ManagedApiKey): ApiKeyView {
  return {
    ...{ id, name, prefix, scope: scopeView(scope) },
    created_at: isoTime(createdAt),
    expires_at: expiresAt === undefined ? null : isoTime(expiresAt),
    last_used_at: lastUsedAt === undefined ? null : isoTime(lastUsedAt),
  }
}

function scopeView({ tenant, product, readOnly }: ApiKeyScope): ApiKeyView['scope'] {
  return { tenant: tenant ?? null, product: product ?? null, readOnly }
}

const expiryMessage =
  'expires_at: a time in the future, like 2030-01-31T12:00:00Z or 1896091200000 (Unix milliseconds); null for never.'

/** `POST apikey`. Unknown fields of the scope are rejected: a misspelt one would widen it. */
export const ApiKeyInput = Type.Object(
  {
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
            'scope: an object with the optional fields tenant and product (text of 1 to 200 characters, without ":" and control characters) and readOnly (true or false), and no others.',
        },
      ),
    ),
    expires_at: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Integer(), Type.Null()], { description: expiryMessage }),
    ),
  },
  {
    title: 'ApiKeyInput',
    examples: [{ name: 'CRM, read-only', scope: { tenant: 'acme', product: 'crm', readOnly: true } }],
  },
)
export type ApiKeyInput = Static<typeof ApiKeyInput>

/** @throws DirectoryError `invalid-input` */
export function parseApiKey(input: unknown, now: number): Pick<ManagedApiKey, 'name' | 'scope' | 'expiresAt'> {
  const { name, scope, expires_at: expiresAt } = parseInput(ApiKeyInput, input)
  return { name, scope: parseScope(scope), expiresAt: parseExpiry(expiresAt ?? undefined, now) }
}

function parseScope({ tenant, product, readOnly, read_only }: NonNullable<ApiKeyInput['scope']> = {}): ApiKeyScope {
  return { tenant, product, readOnly: readOnly === true || read_only === true }
}

function parseExpiry(input: string | number | undefined, now: number): number | undefined {
  if (input === undefined) return undefined
  const at = parseInstant(input)
  if (at === undefined || at <= now) throwProblems([{ field: 'expires_at', message: expiryMessage }])
  return at
}
