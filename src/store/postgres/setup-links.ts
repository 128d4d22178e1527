import type { SetupLink } from '../../setup/setup-link.ts'
import type { SetupLinkStore } from '../../setup/store.ts'
import type { Row } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { decodeSetupLink, forgottenPerCall, keptLink, setupLinkColumns, setupLinkValues } from '../setup-links.ts'
import { createNulSafeWrite, entryAfter, lockAuditHead } from './audit.ts'
import type { Conclusion, Database } from './database.ts'
import type { Reader } from './reader.ts'

const select = `select ${setupLinkColumns} from setup_links where`
const add = `
  insert into setup_links (${setupLinkColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
const one = `${select} id = $1 and revoked_at is null`
const ofScope = `${select} tenant = $1 and product = $2 and revoked_at is null`
const byDigest = `${select} token_digest = $1`
const list = `
  ${select} product = $1 and revoked_at is null and (created_at, id) > ($2, $3)
  order by created_at, id limit $4 offset $5`
const revoke = 'update setup_links set revoked_at = $2 where id = $1 and revoked_at is null returning id'
const name = `
  update setup_links set directory_id = $2 where id = $1 and directory_id is not distinct from $3 returning id`
const forget = `
  delete from setup_links where id = any(array(
    select id from setup_links where expires_at < $1 order by expires_at limit ${forgottenPerCall}))`

/** Setup links on PostgreSQL. */
export function postgresSetupLinks(database: Database, { rows, row }: Reader, sealing: Sealing): SetupLinkStore {
  const change = createNulSafeWrite(database)
  const decode = (found: Row | undefined) => found && decodeSetupLink(found, sealing)
  return {
    // The end of the audit chain is locked first: of two links for one scope, the second sees the first.
    createSetupLink: (link, audit, { replaces, forgetBefore }) =>
      database.transaction(
        [lockAuditHead, { text: ofScope, values: [link.tenant, link.product] }],
        (read): Conclusion<'created' | SetupLink> => {
          const [head, scoped] = read
          const current = decode(scoped?.[0])
          const kept = keptLink(current, link, replaces)
          if (kept !== undefined) return { statements: [], answer: kept }
          const replaced = current === undefined ? [] : [{ text: revoke, values: [current.id, link.createdAt] }]
          const added = { text: add, values: setupLinkValues(link, sealing) }
          const forgotten = { text: forget, values: [forgetBefore] }
          const entry = entryAfter(head, audit).statements
          return { statements: [...replaced, forgotten, added, ...entry], answer: 'created' }
        },
      ),
    getSetupLink: async (id) => decode(await row({ text: one, values: [id] })),
    getSetupLinkOf: async (tenant, product) => decode(await row({ text: ofScope, values: [tenant, product] })),
    findSetupLink: async (tokenDigest) => decode(await row({ text: byDigest, values: [tokenDigest] })),
    async listSetupLinks(product, { after, offset = 0, limit }) {
      const values = [product, after?.createdAt ?? 0, after?.id ?? '', limit, offset]
      return (await rows({ text: list, values })).map((found) => decodeSetupLink(found, sealing))
    },
    async revokeSetupLink(id, at, audit) {
      return (await change({ text: revoke, values: [id, at] }, audit)).length === 1
    },
    async setSetupLinkDirectory(id, before, directoryId) {
      const named = await database.query({ text: name, values: [id, directoryId, before ?? null] })
      return named.length === 1
    },
  }
}
