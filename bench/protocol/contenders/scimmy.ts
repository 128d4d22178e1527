import SCIMMY from 'scimmy'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { FilterContender, PatchBody, PatchContender } from './contender.ts'

// Declared once, as a server does when it starts.
SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser, false)

export const scimmyFilter: FilterContender = {
  name: 'scimmy',
  parse: (text) => new SCIMMY.Types.Filter(text),
  matcher(text) {
    const filter = new SCIMMY.Types.Filter(text)
    return (users) => filter.match(users)
  },
}

/** scimmy patches instances of its schema, made from the stored resource. Both modes leave their input unchanged. */
export const scimmyModes: readonly PatchContender[] = [
  {
    ...{ name: 'scimmy', mode: 'of a ready instance', isInPlace: false, isAsync: true },
    patchOf(resource) {
      const instance = instanceOf(resource)
      return (body) => patch(instance, body)
    },
  },
  {
    ...{ name: 'scimmy', mode: 'makes the instance', isInPlace: false, isAsync: true },
    patchOf: (resource) => (body) => patch(instanceOf(resource), body),
  },
]

function instanceOf(resource: JsonObject): SCIMMY.Schemas.User {
  return new SCIMMY.Schemas.User(resource, 'out')
}

function patch(instance: SCIMMY.Schemas.User, body: PatchBody): Promise<SCIMMY.Schemas.User> {
  return new SCIMMY.Messages.PatchOp(body as PatchRequest).apply(instance)
}

/** The types of scimmy only allow `add`; its code accepts `Add` as well. */
type PatchRequest = ConstructorParameters<typeof SCIMMY.Messages.PatchOp>[0]
