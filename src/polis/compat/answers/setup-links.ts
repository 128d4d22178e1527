import { creationTokens, pageOf } from '../../../reads/page.ts'
import type { ServiceParts } from '../../../service-parts.ts'
import type { SetupLink, SetupLinkView } from '../../../setup/setup-link.ts'
import type { SetupLinkFilter } from '../../../setup/setup-link-store.ts'
import type { PolisPage } from '../paging.ts'
import { polisSetupLink } from '../setup-links.ts'

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
  let before: Pick<SetupLink, 'createdAt' | 'id'> | undefined = creationTokens.read(page.token)
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
  const { rows, pageToken } = pageOf(links, page.limit, creationTokens.write)
  const data = rows.map((link) => polisSetupLink({ ...shown(setupLinks.view(link)) }))
  return pageToken === undefined ? { data } : { data, pageToken }
}
