import type { SimulatedPerson } from '../../../src/client/testing.ts'
import type { Name, NamePool } from './names.ts'
import { departments, namePools, titles } from './names.ts'
import { createRandom, shuffled } from './random.ts'

/** A fictional person in the directory of an identity provider. */
export type Person = SimulatedPerson

/**
 * Generates fictional people; the same seed generates the same people. Addresses are unique, at example.com and
 * example.org (RFC 2606), and tagged with the seed (`+2`) unless it is 1. With `mailDomain` they are not tagged, so
 * people of different seeds may have the same address.
 */
export function generatePeople(count: number, seed: number, mailDomain?: string): Person[] {
  const random = createRandom(seed)
  const pools = namePools.map((pool) => shuffled(pairsOf(pool), random))
  return Array.from({ length: count }, (_, index) => {
    const pairs = pools[index % pools.length] ?? []
    const turn = Math.floor(index / pools.length)
    const pair = pick(pairs, turn)
    const namesake = Math.floor(turn / pairs.length)
    return makePerson({ number: index + 1, seed, mailDomain, pair, namesake, partner: pick(pairs, turn + 1) })
  })
}

/** The same person after a marriage and a promotion. */
export function afterProfileChange(person: Person): Person {
  const [localPart = '', domain = ''] = person.email.split('@')
  return {
    ...person,
    familyName: person.nextFamilyName,
    email: `${localPart}.new@${domain}`,
    title: `Senior ${person.title}`,
    department: pick(departments, departments.indexOf(person.department) + 1),
  }
}

export function displayNameOf({ givenName, familyName }: Person): string {
  return `${givenName} ${familyName}`
}

/** Unique per seed. */
export function employeeNumberOf({ number }: Person): string {
  return String(1000 + number)
}

/** The part of the address before the `@`, which Entra calls the mail nickname. */
export function mailNicknameOf({ userName }: Person): string {
  return userName.split('@')[0] ?? userName
}

interface NamePair {
  readonly given: Name
  readonly family: Name
}

function pairsOf(pool: NamePool): NamePair[] {
  return pool.given.flatMap((given) => pool.family.map((family) => ({ given, family })))
}

interface PersonParts {
  readonly number: number
  readonly seed: number
  readonly mailDomain: string | undefined
  readonly pair: NamePair
  /** The number of earlier people with the same name. */
  readonly namesake: number
  readonly partner: NamePair
}

function makePerson({ number, seed, mailDomain, pair, namesake, partner }: PersonParts): Person {
  const suffix = namesake === 0 ? '' : String(namesake + 1)
  const tag = seed === 1 || mailDomain !== undefined ? '' : `+${seed}`
  const domain = mailDomain ?? (number % 5 === 0 ? 'example.org' : 'example.com')
  const address = `${pair.given.ascii}.${pair.family.ascii}${suffix}${tag}@${domain}`
  return {
    number,
    seed,
    userName: address,
    email: address,
    givenName: pair.given.text,
    familyName: pair.family.text,
    title: pick(titles, number),
    department: pick(departments, number),
    phone: `+49 30 555${String(number % 10_000).padStart(4, '0')}`,
    street: `Hafenstrasse ${(number % 90) + 1}`,
    nextFamilyName: `${pair.family.text}-${partner.family.text}`,
  }
}

/** The item at a position, counting on from the start after the last one. */
function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}
