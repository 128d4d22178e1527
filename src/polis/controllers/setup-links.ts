import { DirectoryError } from '../../directory/errors.ts'
import { caller } from '../../library/parts.ts'
import { SetupLinkInput } from '../../setup/inputs.ts'
import { polisPage } from '../compat/paging.ts'
import { newSetupLinkFields, newSetupLinkProblem, polisSetupLink, polisSetupLinks } from '../compat/setup-links.ts'
import type { ControllerParts } from './parts.ts'
import { PolisError, thrown } from './response.ts'
import type { PaginationParams, SetupLink, SetupLinkCreatePayload } from './types.ts'

export type RemoveSetupLinkParams = { id: string } | { service: 'dsync'; tenant: string; product: string }

const notFound = { 404: 'Setup link is not found' }
const asLink = (link: object) => polisSetupLink({ ...link }) as unknown as SetupLink

/** `setupLinkController`; its methods throw errors. */
export function setupLinksController(parts: ControllerParts) {
  const { setupLinks } = parts.service
  return {
    create: (body: SetupLinkCreatePayload): Promise<SetupLink> =>
      thrown(async () => {
        requireService(body.service)
        const problem = newSetupLinkProblem({ ...body })
        if (problem !== undefined) throw new PolisError(problem, 400)
        const fields = newSetupLinkFields({ expiryDays: parts.setupLinkExpiryDays, ...body })
        const known = Object.entries(fields).filter(([name]) => Object.hasOwn(SetupLinkInput.properties, name))
        return asLink(await setupLinks.create(Object.fromEntries(known), caller))
      }),
    get: (id: string): Promise<SetupLink> =>
      thrown(async () => {
        if (!id) throw new PolisError('Missing setup link id', 400)
        return asLink(await setupLinks.get({ id }))
      }, notFound),
    getByToken: (token: string): Promise<SetupLink> =>
      thrown(async () => {
        if (!token) throw new PolisError('Missing setup link token', 400)
        return asLink(setupLinks.view(await openLink(parts, token)))
      }, notFound),
    async remove(params: RemoveSetupLinkParams): Promise<void> {
      const query = 'id' in params ? { id: params.id } : { tenant: params.tenant, product: params.product }
      const removed = thrown(() => setupLinks.delete(query, caller), notFound)
      // To Polis, the deletion of an unknown id is none.
      await removed.catch((error: PolisError) => {
        if (!('id' in params && error.statusCode === 404)) throw error
      })
    },
    isExpired: ({ validTill }: SetupLink): boolean => validTill < Date.now(),
    async filterBy(
      params: PaginationParams & { service?: 'dsync'; tenant?: string; product?: string },
    ): Promise<{ data: SetupLink[]; pageToken?: string }> {
      const { service, tenant, product, ...page } = params
      requireService(service)
      const found = await thrown(() => polisSetupLinks(parts.service, { tenant, product }, polisPage(page)))
      if (tenant && product && found.data.length === 0) throw new PolisError(notFound[404], 404)
      return { ...found, data: found.data as unknown as SetupLink[] }
    },
  }
}

/** @throws PolisError 401 for a link that no longer works */
async function openLink({ service: { setupLinks } }: ControllerParts, token: string) {
  try {
    return await setupLinks.open(token)
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'gone') throw new PolisError('Setup link is expired', 401)
    throw error
  }
}

function requireService(service: unknown): void {
  if (service === 'dsync') return
  throw new PolisError('Invalid service provided. Rollcall supports dsync only.', 400)
}
