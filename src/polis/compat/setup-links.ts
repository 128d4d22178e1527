import { directoryTypeOf, isTrue } from './directories.ts'

type Fields = Readonly<Record<string, unknown>>

const maxExpiryDays = 365

/** The fields of a new setup link. Links last whole days, a year at most. */
export function newSetupLinkFields({ expiryDays, regenerate, ...fields }: Fields): Fields {
  const days = Number(expiryDays)
  const { types, name, ...others } = fields
  return {
    ...others,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(Array.isArray(types) ? { types: types.map((type) => directoryTypeOf(type) ?? type) } : {}),
    ...(days > 0 ? { expiryDays: Math.min(maxExpiryDays, Math.ceil(days)) } : {}),
    ...(regenerate === undefined ? {} : { regenerate: isTrue(regenerate) }),
  }
}

/** A setup link as Polis returns it: what has no value is left out. */
export function polisSetupLink(link: Fields): Fields {
  const { types, ...fields } = link
  const shown = Object.entries(fields).filter(([, value]) => value !== null)
  const named = Array.isArray(types) ? { types: types.map((type) => (type === 'extdir' ? 'google' : type)) } : {}
  return { ...Object.fromEntries(shown), ...named }
}
