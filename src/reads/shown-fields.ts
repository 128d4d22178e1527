import type { StoredResource } from '../directory/resource.ts'
import { dateTimeText } from '../scim/date-time.ts'

/** The directory of listed rows. Its tenant is shown with each row of a scope that has several tenants; else it is undefined. */
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
  if (tenant === undefined) return times
  return `${times},"tenant":${JSON.stringify(tenant)},"directory_id":${JSON.stringify(directoryId)}`
}
