import { StoreUnavailable } from '../errors.ts'
import { sendableSequence } from '../streams.ts'

/**
 * The primary key of events and requests, and the owner of search terms: the number of the directory, then the sequence number of the row. A
 * directory's rows are stored next to each other in the order of their sequence, and that order needs no index.
 */
export const sequenceBits = 33

/** A directory with the number that its row keys begin with. */
export interface NumberedDirectory {
  readonly id: string
  readonly number: number
}

/** The numbers up to which row keys are exact: 2²⁰ directories, and 2³³ events in each. */
const maxDirectoryNumber = 2 ** (53 - sequenceBits) - 1
const maxSequence = 2 ** sequenceBits - 1

/** @throws StoreUnavailable for a sequence number that has no row key: two rows would get the same one */
export function rowKey(directoryNumber: number, sequence: number): number {
  requireDirectoryNumber(directoryNumber)
  if (sequence > maxSequence) throw tooMany(`This directory has had ${sequence} events`)
  return directoryNumber * 2 ** sequenceBits + sequence
}

/** @throws StoreUnavailable for a number whose rows would have no row keys */
export function requireDirectoryNumber(directoryNumber: number): void {
  if (directoryNumber > maxDirectoryNumber) throw tooMany(`This database has numbered ${directoryNumber} directories`)
}

function tooMany(what: string): StoreUnavailable {
  return new StoreUnavailable(`${what}, more than SQLite can store: move to PostgreSQL.`)
}

/** SQL for the row keys of the events of the directory whose id is the parameter `?1`, after a sequence number, without those
 * that a large change has written and not published, and without held ones. */
export function eventKeysAfter(column: string, sequenceParameter: string): string {
  const state = (value: string) => `(select ${value} from directory_state s where s.directory_id = ?1)`
  const first = state(`s.number << ${sequenceBits}`)
  return `${column} > ${first} + ${sequenceParameter} and ${column} <= ${state(`(s.number << ${sequenceBits}) + ${sendableSequence}`)}`
}

/** SQL for the row keys of the directory whose id is the parameter `?1`, after the sequence number in a parameter. */
export function rowKeysAfter(column: string, sequenceParameter: string): string {
  const number = '(select s.number from directory_state s where s.directory_id = ?1)'
  const first = `(${number} << ${sequenceBits})`
  return `${column} > ${first} + ${sequenceParameter} and ${column} < ${first} + (1 << ${sequenceBits})`
}
