import type { DatabaseSync } from 'node:sqlite'
import type { SetupLinkStore } from '../../setup/store.ts'
import type { Row } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { decodeSetupLink, forgottenPerCall, keptLink, setupLinkColumns, setupLinkValues } from '../setup-links.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'

const select = `select ${setupLinkColumns} from setup_links where`

interface Parts {
  readonly sealing: Sealing
  readonly appendAudit: AppendAudit
}

/** Setup links on SQLite. */
export function sqliteSetupLinks(
  db: DatabaseSync,
  { write }: GroupCommit,
  { sealing, appendAudit }: Parts,
): SetupLinkStore {
  const add = db.prepare(`insert into setup_links (${setupLinkColumns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const one = db.prepare(`${select} id = ? and revoked_at is null`)
  const ofScope = db.prepare(`${select} tenant = ? and product = ? and revoked_at is null`)
  const byDigest = db.prepare(`${select} token_digest = ?`)
  const list = db.prepare(`
    ${select} product = ? and revoked_at is null and (created_at, id) > (?, ?)
    order by created_at, id limit ? offset ?`)
  const revoke = db.prepare('update setup_links set revoked_at = ? where id = ? and revoked_at is null')
  const name = db.prepare('update setup_links set directory_id = ? where id = ? and directory_id is ?')
  const forget = db.prepare(`
    delete from setup_links where id in (
      select id from setup_links where expires_at < ? order by expires_at limit ${forgottenPerCall})`)
  const decode = (row: Row | undefined) => row && decodeSetupLink(row, sealing)

  return {
    createSetupLink: (link, audit, { replaces, forgetBefore }) =>
      write(() => {
        const current = decode(ofScope.get(link.tenant, link.product))
        const kept = keptLink(current, link, replaces)
        if (kept !== undefined) return kept
        if (current !== undefined) revoke.run(link.createdAt, current.id)
        forget.run(forgetBefore)
        add.run(...setupLinkValues(link, sealing))
        appendAudit(audit)
        return 'created'
      }),
    getSetupLink: async (id) => decode(one.get(id)),
    getSetupLinkOf: async (tenant, product) => decode(ofScope.get(tenant, product)),
    findSetupLink: async (tokenDigest) => decode(byDigest.get(tokenDigest)),
    listSetupLinks: async (product, { after, offset = 0, limit }) =>
      list
        .all(product, after?.createdAt ?? 0, after?.id ?? '', limit, offset)
        .map((row) => decodeSetupLink(row, sealing)),
    revokeSetupLink: (id, at, audit) =>
      write(() => {
        const isRevoked = revoke.run(at, id).changes === 1
        if (isRevoked) appendAudit(audit)
        return isRevoked
      }),
    setSetupLinkDirectory: (id, before, directoryId) =>
      write(() => name.run(directoryId, id, before ?? null).changes === 1),
  }
}
