import type { LinkedUser } from '../../../../tools/simulate/dialect.ts'
import type { Person } from '../../../../tools/simulate/people/person.ts'

/** A person of the recorded requests: `somePerson('Maya Lindqvist', …)`. */
export function somePerson(name: string, changes: Partial<Person> = {}): Person {
  const [givenName = '', familyName = ''] = name.split(' ')
  const userName = `${givenName}.${familyName}@example.com`.toLowerCase()
  return {
    number: 1,
    seed: 0,
    userName,
    email: userName,
    givenName,
    familyName,
    title: 'Analyst',
    department: 'Research',
    phone: '+49 30 5550111',
    street: 'Hafenstrasse 12',
    nextFamilyName: `${familyName}-Ode`,
    ...changes,
  }
}

/** The person with the placeholder that the recorded requests have for the id. */
export function linked(person: Person, id: string, managerId?: string): LinkedUser {
  return { id, person, managerId }
}
