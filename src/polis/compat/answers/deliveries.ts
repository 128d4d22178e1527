import { DirectoryError } from '../../../directory/errors.ts'
import { eachItem, wholeText } from '../../../scim/json-list.ts'
import type { ServiceParts } from '../../../service-parts.ts'
import { polisLog } from '../events.ts'
import type { Fields } from './resources.ts'
import { pageOf, polisScope } from './resources.ts'

type LogParts = Pick<ServiceParts, 'deliveryLog'>

/** A page of the delivery log, newest first. */
export async function polisDeliveries({ deliveryLog }: LogParts, query: Fields) {
  const { rows, pageToken } = await deliveryLog.list({ ...polisScope(query), ...pageOf(query) })
  const data = (await Array.fromAsync(eachItem(rows), wholeText)).map((row): Fields => polisLog(JSON.parse(row)))
  return pageToken === undefined ? { data } : { data, pageToken }
}

/** An entry of the delivery log; an unknown one is null to Polis. */
export async function polisDelivery({ deliveryLog }: LogParts, id: string, query: Fields): Promise<Fields | null> {
  try {
    return polisLog(JSON.parse(await deliveryLog.get(id, polisScope(query))))
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'resource-not-found') return null
    throw error
  }
}
