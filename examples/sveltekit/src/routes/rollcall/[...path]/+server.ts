import { openRollcall } from '../../../lib/open-rollcall.ts'
import type { RequestHandler } from './$types'

const handle: RequestHandler = async ({ request, getClientAddress }) =>
  (await openRollcall()).fetch(request, { remoteAddress: getClientAddress() })

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT }
