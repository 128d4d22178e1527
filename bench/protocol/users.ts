import type { JsonObject } from '../../src/scim/json.ts'
import { itemAt, times } from '../workload/users.ts'

export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const givenNames = ['Barbara', 'Tomas', 'Maya', 'Sean', 'Ingrid', 'Carlos', 'Noor', 'Kenji']
const familyNames = ['Jensen', 'Weber', 'Lindqvist', "O'Hara", 'Haddad', 'Tanaka', 'Moreau']
const titles = ['Engineer', 'Senior Engineer', 'Account Executive', 'Recruiter', 'Controller']
const departments = ['Research', 'Sales', 'People', 'Finance', 'Support', 'Legal']

/** Stored users as JSON, about 1.2 KB each; some attributes are missing in some of them. */
export function userTexts(count: number): string[] {
  return times(count, (number) => JSON.stringify(userOf(number)))
}

/** Parses a stored user. */
export function readUser(text: string): JsonObject {
  return JSON.parse(text) as JsonObject
}

export function userNameOf(number: number): string {
  return `${itemAt(givenNames, number).toLowerCase()}.${number}@example.com`
}

export function departmentOf(number: number): string {
  return `${itemAt(departments, number)} ${Math.floor(number / 40)}`
}

function userOf(number: number): object {
  const [givenName, familyName] = [itemAt(givenNames, number), itemAt(familyNames, number)]
  const formatted = `${givenName} ${familyName}`
  const at = new Date(Date.UTC(2025, 0, 1) + number * 3_600_000).toISOString()
  const id = `2819c223-7f76-453a-919d-${String(number).padStart(12, '0')}`
  return {
    schemas: [coreUser, enterpriseUser],
    id,
    externalId: `00u${number}x7Kq2VbP`,
    userName: userNameOf(number),
    name: { formatted, familyName, givenName },
    displayName: formatted,
    nickName: givenName.slice(0, 3),
    title: itemAt(titles, number),
    userType: number % 4 === 0 ? 'Contractor' : 'Employee',
    preferredLanguage: 'en-GB',
    locale: 'en-GB',
    timezone: 'Europe/Berlin',
    active: number % 10 !== 0,
    emails: [
      { value: userNameOf(number), type: 'work', primary: true },
      ...(number % 3 === 0 ? [] : [{ value: `${givenName.toLowerCase()}${number}@mail.example.net`, type: 'home' }]),
    ],
    phoneNumbers: [
      { value: `+49 30 555${String(number).padStart(4, '0')}`, type: 'work' },
      { value: `+49 151 555${String(number).padStart(5, '0')}`, type: 'mobile' },
    ],
    addresses: [addressOf(number)],
    [enterpriseUser]: {
      employeeNumber: String(100_000 + number),
      costCenter: `CC-${number % 90}`,
      organization: 'Example Industries',
      department: departmentOf(number),
      ...(number % 9 === 0 ? {} : { manager: { value: '2819c223-7f76-453a-919d-000000000000' } }),
    },
    meta: {
      resourceType: 'User',
      created: at,
      lastModified: at,
      location: `https://id.example.com/scim/v2/Users/${id}`,
    },
  }
}

function addressOf(number: number): object {
  return {
    type: 'work',
    streetAddress: `Hafenstrasse ${1 + (number % 120)}`,
    locality: 'Hamburg',
    postalCode: String(20_000 + number),
    country: 'DE',
    formatted: `Hafenstrasse ${1 + (number % 120)}, ${20_000 + number} Hamburg`,
  }
}
