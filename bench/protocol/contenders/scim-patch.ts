import type { ScimResource } from 'scim-patch'
import { patchBodyValidation, scimPatch } from 'scim-patch'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { PatchBody, PatchContender } from './contender.ts'

/** By default the package changes its input; the other mode copies it first, as JSON. */
export const scimPatchModes: readonly PatchContender[] = [
  contender('copies', false, false),
  contender('copies, patchBodyValidation', false, true),
  contender('in place', true, false),
  contender('in place, patchBodyValidation', true, true),
]

function contender(mode: string, isInPlace: boolean, isValidated: boolean): PatchContender {
  const options = { mutateDocument: isInPlace, treatMissingAsAdd: true }
  const apply = (resource: JsonObject, { Operations }: PatchBody) =>
    scimPatch(asResource(resource), Operations, options)
  const validateAndApply = (resource: JsonObject, body: PatchBody) => {
    patchBodyValidation(body)
    return apply(resource, body)
  }
  const patch = isValidated ? validateAndApply : apply
  return { name: 'scim-patch', mode, isInPlace, isAsync: false, patchOf: (resource) => (body) => patch(resource, body) }
}

/** The package's type has a Date where JSON has text, but its code does not use it. */
function asResource(resource: JsonObject): JsonObject & ScimResource {
  return resource as JsonObject & ScimResource
}
