import { nearestName } from '../inputs/unknown-fields.ts'

/** The prefixes of this service's variables. Other variables may belong to other programs. */
export const settingPrefixes = [
  'ADMIN_ROOT_',
  'AUDIT_RETENTION_',
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

/** A sentence for each variable that has the form of a setting but does not exist. Empty variables count as unset. */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly string[] {
  const names = Object.keys(env).filter(
    (name) =>
      settingPrefixes.some((prefix) => name.startsWith(prefix)) &&
      !known.includes(name) &&
      !setByKubernetes.test(name) &&
      env[name]?.trim() !== '',
  )
  return names.map((name) => {
    const nearest = nearestName(name, known)
    const advice = nearest === undefined ? 'remove it' : `did you mean ${nearest}?`
    return `${name} is not a setting: ${advice}${nearest === undefined ? '.' : ''}`
  })
}
