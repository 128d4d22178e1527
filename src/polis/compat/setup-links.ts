import { creationTokens, pageOf } from '../../reads/page.ts'
import type { ServiceParts } from '../../service-parts.ts'
import type { SetupLink, SetupLinkView } from '../../setup/setup-link.ts'
import type { SetupLinkFilter } from '../../setup/setup-link-store.ts'
import { colonProblem, directoryTypeOf, isMissing, isTrue } from './directories.ts'
import type { Fields, PolisPage } from './paging.ts'

const maxExpiryDays = 365

/** The fields of a new setup link. Links last whole days, a year at most. */
export function newSetupLinkFields({ expiryDays, regenerate, ...fields }: Fields): Fields {
  const days = Number(expiryDays)
  const { types, name, ...others } = fields
  return {
    ...others,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(Array.isArray(types) ? { types: types.map((type) => directoryTypeOf(type) ?? type) } : {}),
    ...(days > 0 ? { expiryDays: Math.min(maxExpiryDays, Math.ceil(days)) } : {}),
    ...(regenerate === undefined ? {} : { regenerate: isTrue(regenerate) }),
  }
}

/** A setup link as Polis returns it: what has no value is left out. */
export function polisSetupLink(link: Fields): Fields {
  const { types, ...fields } = link
  const shown = Object.entries(fields).filter(([, value]) => value !== null)
  const named = Array.isArray(types) ? { types: types.map((type) => (type === 'extdir' ? 'google' : type)) } : {}
  return { ...Object.fromEntries(shown), ...named }
}

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

/** The message of Polis about the fields of a new setup link. A link for an existing directory needs no endpoint. */
export function newSetupLinkProblem({
  tenant,
  product,
  webhook_url,
  webhook_secret,
  directoryId,
}: Fields): string | undefined {
  if (isMissing(tenant) || isMissing(product)) return 'Must provide tenant and product'
  const needsEndpoint = directoryId === undefined && (isMissing(webhook_url) || isMissing(webhook_secret))
  return needsEndpoint ? 'Must provide webhook_url and webhook_secret' : colonProblem({ tenant, product })
}
