import type { JsonObject } from '../../scim/json.ts'
import { groupSchema } from '../../scim/schema/group.ts'
import type { GoogleGroup } from '../client/items.ts'
import { given } from './given.ts'
import { keptText, wholeText } from './kept-text.ts'
import { googleGroupUrn } from './urns.ts'

const maxDescriptionLength = 4096

/** A group of Google as the body of a SCIM request, without its members. A group without a name goes by its e-mail address. */
export function groupBody({ id, email, name, description }: GoogleGroup): JsonObject {
  const body = given({
    schemas: [groupSchema.id],
    displayName: keptText(name) ?? keptText(email),
    externalId: wholeText(id),
    [googleGroupUrn]: given({ email: wholeText(email), description: keptText(description, maxDescriptionLength) }),
  })
  return body ?? {}
}
