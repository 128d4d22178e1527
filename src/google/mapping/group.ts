import type { JsonObject } from '../../scim/json.ts'
import { groupSchema } from '../../scim/schema/group.ts'
import type { GoogleGroup } from '../client/items.ts'
import { compactObject, exactText, truncatedText } from './values.ts'

/** Attributes of a Google group that SCIM does not define. */
const googleGroupUrn = 'urn:rollcall:params:scim:schemas:extension:google:2.0:Group'

const maxDescriptionLength = 4096

/**
 * Maps a Google group, without its members, to the body of a SCIM request. A group without a name gets its email
 * address.
 */
export function groupBody({ id, email, name, description }: GoogleGroup): JsonObject {
  const body = compactObject({
    schemas: [groupSchema.id],
    displayName: truncatedText(name) ?? truncatedText(email),
    externalId: exactText(id),
    [googleGroupUrn]: compactObject({
      email: exactText(email),
      description: truncatedText(description, maxDescriptionLength),
    }),
  })
  return body ?? {}
}
