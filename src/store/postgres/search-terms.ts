/** The bits of a row key of search terms that are the sequence number of the row; before them is the directory's number. */
export const sequenceBits = 36

/** The row key of a sequence number in the directory `$1`. Directories themselves have that of 0. */
export function rowKeyOf(sequence: string): string {
  return `((select number from directories where id = $1) << ${sequenceBits}) + ${sequence}`
}

/** The condition that a term belongs to a directory itself, as the index on these has it. */
export const isOfDirectory = `row_key % ${2 ** sequenceBits} = 0`

/** Overwrites the terms that a resource has: what they share depends on the other terms. */
export const overTerms = 'on conflict (list, term, row_key) do update set shared = excluded.shared'
