import { editDistance, nearestName } from '../inputs/unknown-fields.ts'
import type { Setting } from './setting-kinds.ts'

/** The prefixes of this service's variables. Other variables may belong to other programs. */
export const settingPrefixes = [
  'ADMIN_ROOT_',
  'AUDIT_RETENTION_',
  'CONSOLE_OIDC_',
  'DATABASE_POOL_',
  'DEPROVISION_',
  'DRAIN_',
  'DSYNC_',
  'EVENT_RETENTION_',
  'FEED_',
  'MAX_DIRECTORIES_',
  'OPERATOR_WEBHOOK_',
  'RETURN_WINDOW_',
  'SCIM_',
] as const

/**
 * Variables that Kubernetes sets for a service whose name is like a prefix: `SCIM_SERVICE_HOST`,
 * `SCIM_PORT_80_TCP_ADDR`.
 */
// Not linear: names of variables are short, and come from the operator.
const setByKubernetes = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/

/** Names that resemble a setting, of other programs: Strapi. */
const ofOtherPrograms: ReadonlySet<string> = new Set(['APP_KEYS'])

/** The variable that names the file of a setting. */
export function fileVariable(name: string): string {
  return `${name}_FILE`
}

/**
 * A sentence for each variable that was probably meant to be a setting and is none: it begins like one, differs from one by
 * a letter or two, or names a file for a setting that is not read from files. Empty variables count as unset.
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, Pick<Setting<unknown>, 'isSecret'>>>,
): readonly string[] {
  const names = Object.keys(settings)
  const files = names.filter((name) => settings[name]?.isSecret === true).map(fileVariable)
  const known = [...names, ...files]
  const others = Object.keys(env).filter(
    (name) => !known.includes(name) && !setByKubernetes.test(name) && env[name]?.trim() !== '',
  )
  return others.flatMap((name) => {
    const setting = names.find((one) => one.length >= shortestCompared && fileVariable(one) === name)
    if (setting !== undefined)
      return [`${name} is not a setting: set ${setting} itself, which is not read from a file.`]
    const isLikely = settingPrefixes.some((prefix) => name.startsWith(prefix))
    const nearest = known.find((one) => isMisspelled(name, one)) ?? (isLikely ? nearestName(name, known) : undefined)
    if (nearest !== undefined) return [`${name} is not a setting: did you mean ${nearest}?`]
    return isLikely ? [`${name} is not a setting: remove it.`] : []
  })
}

/** Shorter names, `PORT` and `HOST`, resemble many other variables, such as `HOME`, `TEST` and `PGPORT`. */
const shortestCompared = 8
/** The names from which on two letters may differ; `APP_KEY` is a variable of web frameworks, and no misspelled `API_KEYS`. */
const shortestWithTwo = 10

/** Returns whether a name differs from a setting by one or two letters, but has no other word: `DATABASE_SSL` is not `DATABASE_URL`. */
function isMisspelled(name: string, setting: string): boolean {
  if (setting.length < shortestCompared || ofOtherPrograms.has(name)) return false
  if (editDistance(name, setting) > (setting.length < shortestWithTwo ? 1 : 2)) return false
  const [words, meant] = [name.split('_'), setting.split('_')]
  return words.length !== meant.length || words.every((word, index) => isSameWord(word, meant[index] ?? ''))
}

function isSameWord(word: string, meant: string): boolean {
  return editDistance(word, meant) <= Math.max(word.length, meant.length) / 3
}
