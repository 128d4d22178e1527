import { openRollcall } from '../../open-rollcall'

export const dynamic = 'force-dynamic'

async function handle(request: Request): Promise<Response> {
  return (await openRollcall()).fetch(request)
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT }
