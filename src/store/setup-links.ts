import { directoryTypes } from '../directory/provider.ts'
import type { SetupLink } from '../setup/setup-link.ts'
import type { NewestSetupLinks, SetupLinkFilter, SetupLinkStore } from '../setup/setup-link-store.ts'
import { entryAfter, lockAuditHead, writeAuditedInTurn } from './audit-chain.ts'
import { decodeDomains } from './directories.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { setupLinkLocation } from './sealing.ts'
import type { Conclusion, SqlDatabase, Statement } from './sql-database.ts'

/** The number of expired links that are removed with each one that is created: more than are added. */
const forgottenPerCall = 20

/** The columns of a setup link, in the order of `setupLinkValues`. */
const columns =
  'id, tenant, product, name, directory_id, directory_given, endpoint, types, token_digest, created_at, expires_at, revoked_at, opened_at, used_at, roles, domains, scim_profile, adoption, extdir_scope, return_url'
const select = `select ${columns} from setup_links where`
const add = `insert into setup_links (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`
const one = `${select} id = $1 and revoked_at is null`
const ofScope = `${select} tenant = $1 and product = $2 and revoked_at is null`
const byDigest = `${select} token_digest = $1`
const list = `
  ${select} product = $1 and revoked_at is null and (created_at, id) > ($2, $3)
  order by created_at, id limit $4 offset $5`
const mark = {
  opened: 'update setup_links set opened_at = $2 where id = $1 and opened_at is null',
  used: 'update setup_links set used_at = $2 where id = $1 and used_at is null',
}
const revoke = 'update setup_links set revoked_at = $2 where id = $1 and revoked_at is null returning id'
const setDirectory = `
  update setup_links set directory_id = $2 where id = $1 and directory_id is null and revoked_at is null returning id`
const forget = `
  with expired as materialized (
    select id from setup_links where expires_at < $1 order by expires_at limit ${forgottenPerCall})
  delete from setup_links where id in (select id from expired)`

/** Setup links. */
export function createSetupLinkStore(database: SqlDatabase, sealing: Sealing): SetupLinkStore {
  const { query, atomically, transaction } = database
  const decode = (found: Row | undefined) => found && decodeSetupLink(found, sealing)
  return {
    // The end of the audit chain is locked first: of two links for one scope, the second sees the first.
    createSetupLink: (link, audit, { replaces, forgetBefore }) =>
      transaction(
        [lockAuditHead, { text: ofScope, values: [link.tenant, link.product] }],
        ([head, scoped]): Conclusion<'created' | SetupLink> => {
          const current = decode(scoped?.[0])
          const isKept = current !== undefined && !replaces && current.expiresAt > link.createdAt
          if (isKept) return { statements: [], answer: current }
          const replaced = current === undefined ? [] : [{ text: revoke, values: [current.id, link.createdAt] }]
          const added = { text: add, values: setupLinkValues(link, sealing) }
          const forgotten = { text: forget, values: [forgetBefore] }
          const entry = entryAfter(head, audit).statements
          return { statements: [...replaced, forgotten, added, ...entry], answer: 'created' }
        },
      ),
    getSetupLink: async (id) => decode((await query({ text: one, values: [id] }))[0]),
    getSetupLinkOf: async (tenant, product) => decode((await query({ text: ofScope, values: [tenant, product] }))[0]),
    findSetupLink: async (tokenDigest) => decode((await query({ text: byDigest, values: [tokenDigest] }))[0]),
    async listSetupLinks(product, { after, offset = 0, limit }) {
      const values = [product, after?.createdAt ?? 0, after?.id ?? '', limit, offset]
      return (await query({ text: list, values })).map((found) => decodeSetupLink(found, sealing))
    },
    async listNewestSetupLinks(filter, part) {
      return (await query(newest(filter, part))).map((found) => decodeSetupLink(found, sealing))
    },
    async markSetupLink(id, which, at) {
      await atomically([{ text: mark[which], values: [id, at] }])
    },
    async revokeSetupLink(id, at, audit) {
      if (id.includes('\0')) return false
      return (await writeAuditedInTurn(database, { text: revoke, values: [id, at] }, audit)).length === 1
    },
    async setSetupLinkDirectory(id, directoryId) {
      const [named = []] = await atomically([{ text: setDirectory, values: [id, directoryId] }])
      return named.length === 1
    },
  }
}

/** The statement for a page of all links; the most selective condition has an index in this order. */
function newest({ directoryId, tenant, product }: SetupLinkFilter, { before, limit }: NewestSetupLinks): Statement {
  const { createdAt, id } = before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' }
  const conditions = Object.entries({ directory_id: directoryId, tenant, product }).filter(
    (condition): condition is [string, string] => condition[1] !== undefined,
  )
  const text = `
    ${select} (created_at, id) < ($1, $2)${conditions.map(([column], index) => ` and ${column} = $${index + 4}`).join('')}
    order by created_at desc, id desc limit $3`
  return { text, values: [createdAt, id, limit, ...conditions.map(([, value]) => value)] }
}

function setupLinkValues(link: SetupLink, sealing: Sealing): (string | number | null)[] {
  const { googleScope } = link
  const hasScope = googleScope.groups.length + googleScope.orgUnits.length > 0
  const { id, tenant, product, name, directoryId, endpoint, types, roles, tokenDigest, createdAt, expiresAt } = link
  return [
    ...[id, tenant, product, name ?? null, directoryId ?? null, Number(link.isDirectoryGiven)],
    sealing.seal(JSON.stringify(secretsOf(endpoint, link.token)), setupLinkLocation(id)),
    ...[types === undefined ? null : JSON.stringify(types), tokenDigest, createdAt, expiresAt],
    ...[link.revokedAt ?? null, link.openedAt ?? null, link.usedAt ?? null],
    roles.length === 0 ? null : JSON.stringify(roles),
    link.domains === undefined ? null : JSON.stringify(link.domains),
    ...[link.scimProfile ?? null, link.adoption ?? null],
    hasScope ? JSON.stringify(googleScope) : null,
    link.returnUrl ?? null,
  ]
}

/** The secrets of a link, in one encrypted text: an endpoint with a token beside it, the token alone, or neither. */
type Secrets = (SetupLink['endpoint'] & { readonly token?: string }) | { readonly token?: string } | null

function secretsOf(endpoint: SetupLink['endpoint'], token: string | undefined): Secrets {
  if (token === undefined) return endpoint ?? null
  return { ...endpoint, token }
}

function decodeSetupLink(row: Row, sealing: Sealing): SetupLink {
  const id = text(row, 'id')
  const secrets: Secrets = JSON.parse(sealing.open(text(row, 'endpoint'), setupLinkLocation(id)))
  const returnUrl = optionalText(row, 'return_url')
  return {
    id,
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    name: optionalText(row, 'name'),
    directoryId: optionalText(row, 'directory_id'),
    isDirectoryGiven: boolean(row, 'directory_given'),
    endpoint: secrets !== null && 'url' in secrets ? endpointOf(secrets) : undefined,
    ...(secrets?.token === undefined ? {} : { token: secrets.token }),
    types: decodeTypes(optionalText(row, 'types')),
    roles: JSON.parse(optionalText(row, 'roles') ?? '[]'),
    ...decodeDomains(optionalText(row, 'domains')),
    ...(row['scim_profile'] === 'strict' ? { scimProfile: 'strict' } : {}),
    ...(row['adoption'] === 'hold' ? { adoption: 'hold' } : {}),
    googleScope: JSON.parse(optionalText(row, 'extdir_scope') ?? noScope),
    ...(returnUrl === undefined ? {} : { returnUrl }),
    tokenDigest: text(row, 'token_digest'),
    createdAt: integer(row, 'created_at'),
    expiresAt: integer(row, 'expires_at'),
    revokedAt: optionalInteger(row, 'revoked_at'),
    openedAt: optionalInteger(row, 'opened_at'),
    usedAt: optionalInteger(row, 'used_at'),
  }
}

function endpointOf({ url, secret, headers }: NonNullable<SetupLink['endpoint']>): SetupLink['endpoint'] {
  return { url, secret, ...(headers && { headers }) }
}

const noScope = '{"groups":[],"orgUnits":[]}'

/** Types that this version does not know are left out. */
function decodeTypes(json: string | undefined): SetupLink['types'] {
  if (json === undefined) return undefined
  const stored: readonly unknown[] = JSON.parse(json)
  return directoryTypes.filter((type) => stored.includes(type))
}
