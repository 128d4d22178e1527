export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export const listResponse = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const bulkResponse = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

export function user(userName: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { schemas: [coreUser], userName, ...fields }
}

export function group(displayName: string, ...memberIds: readonly string[]) {
  return { schemas: [coreGroup], displayName, members: memberIds.map((value) => ({ value })) }
}

export function patchOf(...operations: readonly unknown[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}

/** The body of a PATCH that replaces the title of a user. */
export function retitled(title: string) {
  return patchOf({ op: 'replace', path: 'title', value: title })
}

export function searchRequest(fields: Readonly<Record<string, unknown>>) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...fields }
}

export function bulkRequest(operations: unknown, fields: Readonly<Record<string, unknown>> = {}) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], ...fields, Operations: operations }
}
