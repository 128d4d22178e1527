import type { Caller } from '../directory/audit.ts'
import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryListPart } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput, ScopeInput, TokenPagingInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Page } from '../reads/page.ts'
import { creationTokens, pageOf } from '../reads/page.ts'
import type { DeliveryControl } from './control.ts'
import { sinceInput } from './control.ts'

/** The maximum number of directories in one call. */
const maxDirectories = 100

const severalFields = {
  directory_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: maxDirectories,
      description: `directory_ids: the ids of 1 to ${maxDirectories} directories.`,
    }),
  ),
  tenant: ScopeInput.properties.tenant,
  product: ScopeInput.properties.product,
  pageToken: TokenPagingInput.properties.pageToken,
}

/** The directories to resume: some by their ids, or those of a product, of a tenant, or of both. */
export const ResumeSeveralInput = Type.Object(severalFields, {
  title: 'ResumeSeveralInput',
  examples: [{ product: 'crm' }],
})

/** The directories to which events are sent again, and the time of the first of these events. */
export const ReplaySeveralInput = Type.Object(
  { ...severalFields, since: sinceInput },
  { title: 'ReplaySeveralInput', examples: [{ product: 'crm', since: '2026-11-20T08:00:00Z' }] },
)

/** What was done in one directory: its delivery status, or why it was refused. */
export type OneOfSeveral = Awaited<ReturnType<typeof inOne>>

export interface SeveralParts {
  readonly delivery: Pick<DeliveryControl, 'resume' | 'replay'>
  readonly directories: {
    page(scope: DirectoryScope, part: DirectoryListPart): Promise<Directory[]>
  }
}

/** Changes of the delivery of several directories in one call. Each of them is made, and audited, by itself. */
export type DeliveryOfSeveral = ReturnType<typeof createDeliveryOfSeveral>

/** Inputs use the field names of the API and are validated here. */
export function createDeliveryOfSeveral(parts: SeveralParts) {
  const { delivery } = parts
  return {
    /** @throws DirectoryError `invalid-input` */
    async resume(input: unknown, caller: Caller): Promise<Page<OneOfSeveral>> {
      return inEach(parts, parseInput(ResumeSeveralInput, input), (id) => delivery.resume(id, caller))
    },
    /** Sends all events since a time again. @throws DirectoryError `invalid-input` */
    async replay(input: unknown, caller: Caller): Promise<Page<OneOfSeveral>> {
      const { since, ...which } = parseInput(ReplaySeveralInput, input)
      return inEach(parts, which, (id) => delivery.replay(id, { since }, caller))
    },
  }
}

type Which = Static<typeof ResumeSeveralInput>
type Change = (id: string) => ReturnType<DeliveryControl['status']>

async function inEach({ directories }: SeveralParts, which: Which, change: Change): Promise<Page<OneOfSeveral>> {
  const { directory_ids: ids, tenant, product } = which
  const scope = { tenant, product }
  if (ids !== undefined) {
    const rows: OneOfSeveral[] = []
    for (const id of new Set(ids)) rows.push(await inOne(id, async () => change((await namedIn(id)).id)))
    return { rows }
  }
  if (tenant === undefined && product === undefined) {
    throw new DirectoryError('invalid-input', 'Name the directories: send directory_ids, product or tenant.')
  }
  const after = creationTokens.read(which.pageToken)
  const found = await directories.page(scope, { after, limit: maxDirectories + 1 })
  const { rows: page, pageToken } = pageOf(found, maxDirectories, creationTokens.write)
  const rows: OneOfSeveral[] = []
  for (const { id } of page) rows.push(await inOne(id, () => change(id)))
  return { rows, pageToken }

  /** @throws DirectoryError `directory-not-found` for one outside of the tenant or product */
  async function namedIn(directoryId: string): Promise<Directory> {
    const [directory] = await directories.page({ ...scope, directoryId }, { limit: 1 })
    if (directory !== undefined) return directory
    throw new DirectoryError('directory-not-found', 'There is no such directory.')
  }
}

async function inOne(id: string, change: () => ReturnType<DeliveryControl['status']>) {
  try {
    return { directory_id: id, status: await change(), error: null }
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code === 'invalid-input') throw error
    return { directory_id: id, status: null, error: { reason: error.code, message: error.message } }
  }
}
