import type { IdSet } from '../../google/sync/id-set.ts'
import { createIdSet } from '../../google/sync/id-set.ts'
import type { SetupLink } from '../../setup/setup-link.ts'
import { setupLinkChanges, setupLinkTarget } from '../../setup/setup-link.ts'
import type { ImportContext } from './context.ts'
import type { Tally } from './pass.ts'
import { newTally } from './pass.ts'
import type { SeenRecords } from './seen.ts'
import { createSeenRecords, leftOutText, notListedText, readable } from './seen.ts'
import { importedSetupLink, isSameLink } from './setup-link.ts'

const linksPerRead = 100
/** As for links that are created here: how long one is recognized after it has expired. */
const rememberMs = 90 * 86_400_000

/** The ids of Polis, which follow from tenant and product; one that is imported again also has the beginning of its digest. */
const importedId = /^[0-9a-f]{40}(-[0-9a-f]{8})?$/

/** Imports the setup links that have not expired, and revokes imported ones that Polis does not have any more. */
export async function importLinks(context: ImportContext): Promise<Tally> {
  const [tally, seen] = [newTally(), createSeenRecords()]
  const { setupLinkKey: key, decide } = context
  const ids = createIdSet()
  const list = readable(context.source.setupLinks(context.filter, seen.addUnreadable), (reason) => {
    seen.isWhole = false
    decide({ kind: 'list-incomplete', text: `${reason} No setup link is revoked.` })
  })
  for await (const polis of list) {
    ids.add(polis.setupID)
    context.signal?.throwIfAborted()
    const link = importedSetupLink(polis, { key, now: context.clock(), decide })
    if (link === undefined) continue
    seen.add(link.tokenDigest)
    tally[await importLink(context, link)] += 1
  }
  if (seen.unreadable > 0) decide({ kind: 'unreadable', text: leftOutText(seen.unreadable, 'setup link') })
  if (seen.isWhole) tally.deleted = await revokeOthers(context, seen, ids)
  return tally
}

async function importLink(context: ImportContext, link: SetupLink): Promise<'created' | 'updated' | 'unchanged'> {
  const { store, decide, differ } = context
  const { id, tenant, product } = link
  const present = await store.getSetupLinkOf(tenant, product)
  if (present !== undefined && isSameLink(link, present)) return 'unchanged'
  const about = { tenant, product, id }
  const difference = { record: 'setup-link', directoryId: undefined, id } as const
  if (present !== undefined && present.tokenDigest === link.tokenDigest) {
    differ({ ...difference, what: ['validTill', 'webhook'] })
    decide({
      ...about,
      kind: 'link-kept',
      text: 'The setup link is here already, with another end or endpoint: it is kept.',
    })
    return 'unchanged'
  }
  differ({ ...difference, what: present === undefined ? 'missing' : ['token'] })
  if (present !== undefined && !importedId.test(present.id)) {
    decide({
      ...about,
      kind: 'link-kept',
      text: 'The tenant has a setup link that was created here: that one is kept.',
    })
    return 'unchanged'
  }
  const same = await store.findSetupLink(link.tokenDigest)
  if (same !== undefined) {
    decide({
      ...about,
      kind: 'link-kept',
      text: 'The setup link was imported before and revoked here: it stays revoked.',
    })
    return 'unchanged'
  }
  if (context.mode === 'apply') await create(context, link, present)
  return present === undefined ? 'created' : 'updated'
}

async function create(
  { store, audited, caller }: ImportContext,
  imported: SetupLink,
  present: SetupLink | undefined,
): Promise<void> {
  const { tenant, product, tokenDigest, createdAt } = imported
  const [only, ...others] = await store.listDirectories({ tenant, product }, { limit: 2 })
  const isOnly = only !== undefined && others.length === 0
  const isTaken = present !== undefined || (await store.getSetupLink(imported.id)) !== undefined
  const id = isTaken ? `${imported.id}-${tokenDigest.slice(0, 8)}` : imported.id
  const link = { ...imported, id, directoryId: isOnly ? only.id : undefined }
  const draft = { action: 'setup_link.created', caller, target: setupLinkTarget(link), at: createdAt } as const
  const audit = audited({ ...draft, changes: setupLinkChanges(undefined, link) })
  await store.createSetupLink(link, audit, { replaces: true, forgetBefore: createdAt - rememberMs })
}

/** Whether Polis has the record of an imported link, but it could not be read, or its list lacks it. */
async function isKept({ source, decide }: ImportContext, link: SetupLink, seen: SeenRecords, ids: IdSet) {
  const { id, tenant, product } = link
  const [polisId = id] = id.split('-')
  if (seen.isUnreadable(polisId)) return true
  const isThere =
    !ids.has(polisId) && (await source.existing('setup-link', { id: '', tenant, product }, [polisId])).size > 0
  if (isThere) decide({ kind: 'list-incomplete', tenant, product, id, text: notListedText('setup link') })
  return isThere
}

/** Revokes imported links whose tokens were not seen; returns their number. */
async function revokeOthers(context: ImportContext, seen: SeenRecords, ids: IdSet): Promise<number> {
  const { store, filter, clock, mode, differ, audited, caller } = context
  let revoked = 0
  let before: { readonly createdAt: number; readonly id: string } | undefined
  for (;;) {
    const page = await store.listNewestSetupLinks(filter, { before, limit: linksPerRead })
    for (const link of page) {
      const isOver = link.revokedAt !== undefined || link.expiresAt <= clock()
      if (isOver || !importedId.test(link.id) || seen.has(link.tokenDigest)) continue
      if (await isKept(context, link, seen, ids)) continue
      revoked += 1
      differ({ record: 'setup-link', directoryId: undefined, id: link.id, what: 'extra' })
      if (mode !== 'apply') continue
      const draft = { action: 'setup_link.deleted', caller, target: setupLinkTarget(link), at: clock() } as const
      const audit = audited({ ...draft, changes: setupLinkChanges(link, undefined) })
      await store.revokeSetupLink(link.id, draft.at, audit)
    }
    before = page.at(-1)
    if (before === undefined) return revoked
  }
}
