import type { JsonObject } from '../../scim/json.ts'
import { own } from '../../scim/json.ts'
import type { GoogleGroup } from './items.ts'
import { emailText, idText, longText, shortText } from './text.ts'

/** The fields to ask for. */
export const groupFields = 'id,email,name,description'

/** A group of the Directory API; undefined when it lacks an id. */
export function parseGroup(item: JsonObject): GoogleGroup | undefined {
  const id = idText(own(item, 'id'))
  if (id === undefined) return undefined
  return {
    id,
    email: emailText(own(item, 'email')) ?? '',
    name: shortText(own(item, 'name')) ?? '',
    description: longText(own(item, 'description')) ?? '',
  }
}
