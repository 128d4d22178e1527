import { teamNames } from './names.ts'
import { createRandom, shuffled } from './random.ts'

/** A fictional group in the directory of an identity provider. */
export interface Team {
  /** 1, 2, 3 … per seed. */
  readonly number: number
  readonly seed: number
  readonly name: string
}

/** Generates teams with different names. Teams of different seeds may share a name. */
export function generateTeams(count: number, seed: number): Team[] {
  const names = shuffled(teamNames, createRandom(seed ^ 0x7ea5))
  return Array.from({ length: count }, (_, index) => {
    const name = names[index % names.length] ?? 'Team'
    const turn = Math.floor(index / names.length)
    return { number: index + 1, seed, name: turn === 0 ? name : `${name} ${turn + 1}` }
  })
}

/** The members of one team: everyone is in one team, every third person in a second one. */
export function membersOf<T>(people: readonly T[], teamIndex: number, teamCount: number): T[] {
  return people.filter((_, index) => {
    const second = (index + 1 + (Math.floor(index / teamCount) % Math.max(1, teamCount - 1))) % teamCount
    return index % teamCount === teamIndex || (index % 3 === 0 && second === teamIndex)
  })
}
