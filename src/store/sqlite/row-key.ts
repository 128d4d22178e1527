import { StoreUnavailable } from '../errors.ts'
import { sequenceBits } from '../search-terms.ts'

/** A directory with the number that its row keys begin with. */
export interface NumberedDirectory {
  readonly id: string
  readonly number: number
}

/** The numbers up to which row keys are exact: 2²⁰ directories, and 2³³ events in each. */
const maxDirectoryNumber = 2 ** (53 - sequenceBits) - 1
const maxSequence = 2 ** sequenceBits - 1

/** @throws StoreUnavailable for numbers that have no row key: two rows would get the same one */
export function rowKey(directoryNumber: number, sequence: number): number {
  if (directoryNumber > maxDirectoryNumber) throw tooMany(`This database has numbered ${directoryNumber} directories`)
  if (sequence > maxSequence) throw tooMany(`This directory has had ${sequence} events`)
  return directoryNumber * 2 ** sequenceBits + sequence
}

function tooMany(what: string): StoreUnavailable {
  return new StoreUnavailable(`${what}, more than SQLite can store: move to PostgreSQL.`)
}
