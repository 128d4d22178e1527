const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export function userNameOf(prefix: string, number: number): string {
  return `${prefix}.${number}@example.com`
}

/** A user as identity providers send it, about 500 bytes. */
export function userBody(prefix: string, number: number): object {
  const userName = userNameOf(prefix, number)
  const [givenName, familyName] = [`Barbara ${number}`, 'Jensen']
  return {
    schemas: [coreUser, enterpriseUser],
    externalId: `${prefix}-00u${number}`,
    userName,
    active: true,
    displayName: `${givenName} ${familyName}`,
    emails: [{ primary: true, type: 'work', value: userName }],
    name: { formatted: `${givenName} ${familyName}`, familyName, givenName },
    title: 'Engineer',
    [enterpriseUser]: { department: 'Research', employeeNumber: String(number) },
  }
}

export function groupBody(displayName: string): object {
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName }
}

export function patchBody(...operations: object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}
