import type { SetupLink } from '../../setup/setup-link.ts'
import { setupLinkChanges, setupLinkTarget } from '../../setup/setup-link.ts'
import type { ImportContext } from './context.ts'
import type { Tally } from './pass.ts'
import { newTally } from './pass.ts'
import type { SeenRecords } from './seen.ts'
import { createSeenRecords } from './seen.ts'
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
  for await (const polis of context.source.setupLinks(context.filter, seen.addUnreadable)) {
    context.signal?.throwIfAborted()
    const link = importedSetupLink(polis, { key, now: context.clock(), decide })
    if (link === undefined) continue
    seen.add(link.tokenDigest)
    tally[await importLink(context, link)] += 1
  }
  tally.deleted = await revokeOthers(context, seen)
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

/** Whether Polis has the record of an imported link, but it could not be read. */
function isUnreadable({ id }: SetupLink, seen: SeenRecords): boolean {
  const [polisId = id] = id.split('-')
  return seen.isUnreadable(polisId)
}

/** Revokes imported links whose tokens were not seen; returns their number. */
async function revokeOthers(context: ImportContext, seen: SeenRecords): Promise<number> {
  const { store, filter, clock, mode, differ, audited, caller } = context
  let revoked = 0
  let before: { readonly createdAt: number; readonly id: string } | undefined
  for (;;) {
    const page = await store.listNewestSetupLinks(filter, { before, limit: linksPerRead })
    for (const link of page) {
      const isOver = link.revokedAt !== undefined || link.expiresAt <= clock()
      if (isOver || !importedId.test(link.id) || seen.has(link.tokenDigest) || isUnreadable(link, seen)) continue
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
