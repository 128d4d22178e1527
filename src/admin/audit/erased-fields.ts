import { parseExact } from './personal-fields.ts'

/** The erased fields of an entry. */
export interface ErasedFields {
  /** The digest of each erased field. */
  readonly fields: Readonly<Record<string, string>>
  /** Proves that the service erased them: see `sealErasure`. */
  readonly seal: string
}

/** The text of erased fields, as it is stored. */
export function erasedText(fields: ErasedFields['fields'], seal: string): string {
  return JSON.stringify({ fields, seal })
}

/** Reads the erased fields of an entry; undefined if there are none, or the service did not write the text. */
export function erasedDigests(text: string | undefined): ErasedFields | undefined {
  const { fields, seal } = (text === undefined ? undefined : parseExact(text)) ?? {}
  if (typeof seal !== 'string' || !isTexts(fields)) return undefined
  return text === erasedText(fields, seal) ? { fields, seal } : undefined
}

/** Reads the salts of an entry; undefined if the service did not write the text. */
export function saltsOf(text: string): ReadonlyMap<string, string> | undefined {
  const salts = parseExact(text)
  return isTexts(salts) ? new Map(Object.entries(salts)) : undefined
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
}
