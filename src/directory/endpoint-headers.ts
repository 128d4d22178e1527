/** Further headers of the requests to an endpoint, such as the key of a gateway: values by name, as they were written. */
export type EndpointHeaders = Readonly<Record<string, string>>

export const maxHeaders = 10
const maxNameLength = 100
export const maxHeaderValueLength = 2000

/** The names that requests have already or that the connection needs (RFC 9110 §7.6.1), and the beginnings of such names. */
const refusedNames: ReadonlySet<string> = new Set([
  ...['host', 'user-agent', 'traceparent', 'tracestate', 'connection', 'expect', 'keep-alive', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])
const refusedBeginnings = ['content-', 'webhook-', 'rollcall-', 'proxy-']

/** What is wrong with headers, in sentences without their values, for a text that begins with the name of the field. */
export function headerProblems(headers: EndpointHeaders): string[] {
  const names = Object.keys(headers)
  const folded = names.map((name) => name.toLowerCase())
  const twice = names.filter((_, index) => folded.indexOf(folded[index] ?? '') < index)
  return [
    ...(names.length > maxHeaders ? [`send at most ${maxHeaders} headers.`] : []),
    ...twice.map((name) => `${shown(name)} is there twice: names are the same in any letter case.`),
    ...Object.entries(headers).flatMap(([name, value]) => problemOf(name, value) ?? []),
  ]
}

function problemOf(name: string, value: string): string | undefined {
  if (name.length > maxNameLength || !/^[a-z][\w.-]*$/i.test(name)) {
    return `${shown(name)} is not the name of a header: use a letter, then letters, digits, "-", "_" or ".", ${maxNameLength} characters at most.`
  }
  const folded = name.toLowerCase()
  if (refusedNames.has(folded) || refusedBeginnings.some((beginning) => folded.startsWith(beginning))) {
    return `${name} cannot be set, as Rollcall sends it itself or it is about the connection: choose another name.`
  }
  const isSendable = /^[\t\x20-\x7e]+$/.test(value) && value === value.trim() && value.length <= maxHeaderValueLength
  return isSendable
    ? undefined
    : `the value of ${name} must be 1 to ${maxHeaderValueLength} printable ASCII characters, without spaces at its ends.`
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, maxNameLength))
}
