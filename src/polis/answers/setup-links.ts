import { readPageToken, writePageToken } from '../../reads/page-token.ts'
import type { ServiceParts } from '../../service-parts.ts'
import type { SetupLink, SetupLinkView } from '../../setup/setup-link.ts'
import type { SetupLinkFilter } from '../../setup/setup-link-store.ts'
import type { PolisPage } from '../compat/paging.ts'
import { polisSetupLink } from '../compat/setup-links.ts'

const linksPerRead = 100

/**
 * The setup links of a scope that are not revoked, newest first.
 *
 * @param shown what the caller may see of a link
 * @throws DirectoryError `invalid-input`
 */
export async function polisSetupLinks(
  { setupLinks }: Pick<ServiceParts, 'setupLinks'>,
  scope: SetupLinkFilter,
  page: PolisPage,
  shown: (view: SetupLinkView) => SetupLinkView = (view) => view,
) {
  let before = page.token === undefined ? undefined : positionIn(page.token)
  let skipped = page.token === undefined ? page.offset : 0
  const links: SetupLink[] = []
  for (let isMore = true; isMore && links.length <= page.limit; ) {
    const part = await setupLinks.newest(scope, { before, limit: linksPerRead })
    const valid = part.filter(({ revokedAt }) => revokedAt === undefined)
    links.push(...valid.slice(skipped))
    skipped = Math.max(0, skipped - valid.length)
    before = part.at(-1)
    isMore = part.length === linksPerRead
  }
  const rows = links.slice(0, page.limit)
  const last = links.length > page.limit ? rows.at(-1) : undefined
  const data = rows.map((link) => polisSetupLink({ ...shown(setupLinks.view(link)) }))
  return last === undefined ? { data } : { data, pageToken: writePageToken([last.createdAt, last.id]) }
}

function positionIn(token: string) {
  const [createdAt, id] = readPageToken(token, isPosition)
  return { createdAt, id }
}

function isPosition(value: unknown): value is readonly [createdAt: number, id: string] {
  if (!Array.isArray(value)) return false
  const [createdAt, id]: unknown[] = value
  return Number.isSafeInteger(createdAt) && typeof id === 'string'
}
