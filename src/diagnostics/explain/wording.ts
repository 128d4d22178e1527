import { plainText } from '../../directory/audit.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import type { ExplainFacts } from './facts.ts'

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** `22 November 2026 at 10:17 UTC` */
export function dateText(at: number): string {
  const time = new Date(at)
  const [day, month, year] = [time.getUTCDate(), months[time.getUTCMonth()], time.getUTCFullYear()]
  return `${day} ${month} ${year} at ${time.toISOString().slice(11, 16)} UTC`
}

/** `on 22 November 2026 at 10:17 UTC` */
export function onDate(at: number): string {
  return `on ${dateText(at)}`
}

/** `once`, `twice`, `3 times` */
export function times(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`
}

/** `1 request`, `2 requests`, `2 directories` */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${count} ${count === 1 ? noun : plural}`
}

/** A name from outside, safe to print. */
export function printable(name: string): string {
  return plainText(name, 120)
}

/** The name of the subject in sentences: its present name, else the name in the query. */
export function nameOf({ resource, asked }: Pick<ExplainFacts, 'resource' | 'asked'>): string {
  return printable(resource?.name ?? asked)
}

/** The name of the directory in sentences. */
export function directoryName({ directory }: Pick<ExplainFacts, 'directory'>): string {
  return `directory “${printable(directory.name)}”`
}

/** A text as the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const assignments: Partial<Record<DirectoryType, (name: string) => string>> = {
  'okta-scim-v2': (name) =>
    `In Okta, ${name} must be assigned to the application, and “Create Users” must be enabled under Provisioning, To App.`,
  'azure-scim-v2': (name) =>
    `In Entra ID, ${name} must be assigned to the enterprise application and provisioning must be on; “Provision on demand” shows why somebody is skipped.`,
  'onelogin-scim-v2': (name) =>
    `In OneLogin, ${name} must have the application, and the provisioning task must not wait for an approval.`,
  'jumpcloud-scim-v2': (name) =>
    `In JumpCloud, ${name} must be in a user group that is bound to the application, and identity management must be active.`,
}

/** The setting that an administrator has to check so that a user or group is sent. */
export function assignmentHint(type: DirectoryType, name: string): string {
  const hint = assignments[type]
  if (hint !== undefined) return hint(name)
  return `In the identity provider, ${name} must be assigned to the application and be within the scope of provisioning, and creating must be enabled.`
}
