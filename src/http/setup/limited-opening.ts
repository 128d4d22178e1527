import type { FastifyRequest } from 'fastify'
import { createRateLimit as createFailureLimit } from '../../admin/accounts/rate-limit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { SetupLink } from '../../setup/setup-link.ts'
import type { SetupLinks } from '../../setup/setup-links.ts'
import { originOf } from '../authorization.ts'
import { createRateLimit } from '../rate-limit.ts'

/** Of one link. */
const requestsPerSecond = 10
/** Requests with tokens that do not exist. */
const failures = {
  perAddress: { attempts: 30, windowMs: 60_000 },
  total: { attempts: 600, windowMs: 60_000 },
}

/**
 * Finds the setup link with a token.
 *
 * @throws DirectoryError `resource-not-found`, `gone`, `too-many-attempts`
 */
export type OpenSetupLink = (token: string, request: FastifyRequest) => Promise<SetupLink>

/** Opens setup links, in a limited number of attempts per address and of requests per link. */
export function limitedOpening(setupLinks: Pick<SetupLinks, 'open'>): OpenSetupLink {
  const attempts = createFailureLimit({ now: Date.now, ...failures })
  const requests = createRateLimit(requestsPerSecond, () => performance.now())
  return async (token, request) => {
    const { address } = originOf(request)
    rejectLimited(attempts.limitOf(address)?.retryAfterSeconds)
    const link = await setupLinks.open(token).catch((error: unknown) => {
      if (error instanceof DirectoryError && error.code === 'resource-not-found') attempts.countFailure(address)
      throw error
    })
    rejectLimited(requests.take(link.id))
    return link
  }
}

/** @throws DirectoryError `too-many-attempts` unless the wait is undefined */
function rejectLimited(retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds === undefined) return
  throw new DirectoryError('too-many-attempts', 'Too many requests: wait a moment.', [], retryAfterSeconds)
}
