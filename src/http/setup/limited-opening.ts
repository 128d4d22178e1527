import type { FastifyRequest } from 'fastify'
import { createFailureLimit } from '../../admin/accounts/failure-limit.ts'
import { createRateLimit } from '../../concurrency/rate-limit.ts'
import { DirectoryError, tooMany } from '../../directory/errors.ts'
import type { SetupLink } from '../../setup/setup-link.ts'
import type { SetupLinks } from '../../setup/setup-links.ts'
import { originOf } from '../authorization.ts'

/** The limit per link. */
const requestRate = { count: 10, perMs: 1_000 }
/** The limits of requests with unknown tokens. */
const failureRates = {
  perAddress: { count: 30, perMs: 60_000 },
  total: { count: 600, perMs: 60_000 },
}

/**
 * Finds the setup link with a token.
 *
 * @throws DirectoryError `resource-not-found`, `gone`, `too-many-attempts`
 */
export type OpenSetupLink = (token: string, request: FastifyRequest) => Promise<SetupLink>

/**
 * Opens setup links, with a rate limit per link, and a limit of failures per address that does not affect valid links.
 */
export function limitedOpening(setupLinks: Pick<SetupLinks, 'open'>): OpenSetupLink {
  const failed = createFailureLimit(Date.now, failureRates)
  const requests = createRateLimit(requestRate, () => performance.now())
  return async (token, request) => {
    const { address } = originOf(request)
    const link = await setupLinks.open(token).catch((error: unknown) => {
      const isUnknown = error instanceof DirectoryError && error.code === 'resource-not-found'
      const waitSeconds = isUnknown ? failed.countFailure(address) : undefined
      throw waitSeconds === undefined ? error : tooMany('requests', waitSeconds)
    })
    const waitSeconds = requests.take(link.id)
    if (waitSeconds !== undefined) throw tooMany('requests', waitSeconds)
    return link
  }
}
