import type { StoredResource } from '../directory/resource.ts'
import { dateTimeText } from '../scim/date-time.ts'

/** The directory of listed rows, which each row names, and its tenant if the scope has several; else undefined. */
export interface RowsOwner {
  readonly directoryId: string
  readonly tenant: string | undefined
}

/** The text of the fields that the API shows of a user or group beside those of events. */
export function shownFieldsText(
  { createdAt, updatedAt }: Pick<StoredResource, 'createdAt' | 'updatedAt'>,
  { directoryId, tenant }: RowsOwner,
): string {
  const times = `,"created_at":"${dateTimeText(createdAt)}","updated_at":"${dateTimeText(updatedAt)}"`
  const ofTenant = tenant === undefined ? '' : `,"tenant":${JSON.stringify(tenant)}`
  return `${times}${ofTenant},"directory_id":${JSON.stringify(directoryId)}`
}
