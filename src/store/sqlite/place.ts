/**
 * The place of a row: the number of its directory, then the row's sequence number. It is the key of users, groups and
 * events, so that a directory's rows are stored side by side in the order of their sequence, without another index.
 */
export const sequenceBits = 33

/** A directory with the number that its rows' places begin with. */
export interface NumberedDirectory {
  readonly id: string
  readonly number: number
}

/** Directories are numbered up to about a million, sequence numbers up to 8 billion: together an exact number. */
export function placeOf(directoryNumber: number, sequence: number): number {
  return directoryNumber * 2 ** sequenceBits + sequence
}

/** SQL for the places of a directory, whose id is the parameter `?1`, behind the sequence number of a parameter. */
export function placesBehind(column: string, sequenceParameter: string): string {
  const number = '(select s.number from directory_state s where s.directory_id = ?1)'
  const first = `(${number} << ${sequenceBits})`
  return `${column} > ${first} + ${sequenceParameter} and ${column} < ${first} + (1 << ${sequenceBits})`
}
