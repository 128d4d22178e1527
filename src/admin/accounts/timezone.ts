/** Names as "Europe/Berlin" and "Etc/GMT+1"; not offsets as "+01:00", which are no names. */
const form = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(\/[A-Za-z0-9_+-]{1,31}){0,3}$/

/** The IANA name of a time zone as it is usually written, whatever the case it was given in; undefined when it is none. */
export function timezoneName(given: string): string | undefined {
  if (!form.test(given)) return undefined
  const folded = given.toLowerCase()
  const usual = [...Intl.supportedValuesOf('timeZone'), 'UTC'].find((name) => name.toLowerCase() === folded)
  return usual ?? (isKnown(given) ? given : undefined)
}

/** Old names are known as well, and are not listed. */
function isKnown(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
