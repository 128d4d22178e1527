import type { Name, NamePool } from './names.ts'
import { departments, namePools, titles } from './names.ts'
import { createRandom, shuffled } from './random.ts'

/** An invented person as a provider's own directory has them. */
export interface Person {
  /** 1, 2, 3 … for a seed. */
  readonly number: number
  readonly seed: number
  readonly userName: string
  readonly email: string
  readonly givenName: string
  readonly familyName: string
  readonly title: string
  readonly department: string
  readonly phone: string
  readonly street: string
  /** The family name that this person takes when the profile changes. */
  readonly nextFamilyName: string
}

/**
 * So many invented people; the same seed gives the same ones, another seed others. Addresses are at example.com and
 * example.org (RFC 2606) and differ from each other; those of seeds other than 1 carry the seed as `+2`. At a mail
 * domain that is given they do not: a person of one seed may then be one of another.
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

/** The same person after a marriage and a promotion: what an update tells the service. */
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

/** The name as people say it. */
export function displayNameOf({ givenName, familyName }: Person): string {
  return `${givenName} ${familyName}`
}

/** A number that no other employee of this seed has. */
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
  /** How many people of this name came before. */
  readonly namesake: number
  readonly partner: NamePair
}

function makePerson({ number, seed, mailDomain, pair, namesake, partner }: PersonParts): Person {
  const which = namesake === 0 ? '' : String(namesake + 1)
  const tag = seed === 1 || mailDomain !== undefined ? '' : `+${seed}`
  const domain = mailDomain ?? (number % 5 === 0 ? 'example.org' : 'example.com')
  const address = `${pair.given.ascii}.${pair.family.ascii}${which}${tag}@${domain}`
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

/** The item at that place of a list without end: after the last one comes the first again. */
function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}
