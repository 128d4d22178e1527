import type { Reply } from './reply.ts'
import type { FakeRequest } from './request.ts'

/** What a log says of a request: `members.list of 0abc, page 2: 200`. Tokens, codes and secrets are not in it. */
export function lineOf(request: FakeRequest, reply: Reply | undefined): string {
  const { endpoint, groupKey, userKey, memberKey, page } = request
  const keys = [memberKey ?? userKey, groupKey].filter((key) => key !== undefined)
  const what = [endpoint, ...keys].join(' of ')
  return `${what}${endpoint.endsWith('.list') ? `, page ${page}` : ''}: ${reply?.status ?? 'connection cut'}`
}
