import { unknownFields } from '../inputs/unknown-fields.ts'
import type { RollcallOptions } from './options.ts'

/** A missing name does not compile. */
type Names<T> = Record<keyof T, true>

const optionNames: Names<RollcallOptions> = {
  ...{ databaseUrl: true, databasePoolSize: true, databaseDirectUrl: true, encryptionKey: true, externalUrl: true },
  ...{ apiKeys: true, adminRootToken: true, polisCompat: true, webhook: true, extdir: true, removalLimit: true },
  ...{ onEvent: true, log: true, maxDirectoriesPerTenant: true, eventRetentionDays: true, auditRetentionDays: true },
  ...{
    returnWindowDays: true,
    deprovisionTarget: true,
    scimRateLimit: true,
    scimRequestLogTtl: true,
    scimRequestLogMax: true,
  },
}
const webhookNames: Names<NonNullable<RollcallOptions['webhook']>> = {
  ...{ timeoutMs: true, allowPrivate: true, proxy: true, noProxy: true, concurrency: true, signatureHeader: true },
  ...{ batchSize: true, batchInterval: true, logsTtl: true },
}
const extdirNames: Names<NonNullable<RollcallOptions['extdir']>> = {
  ...{ clientId: true, clientSecret: true, authUrl: true, tokenUrl: true, apiUrl: true },
  ...{ maxDeletePercent: true, cronInterval: true },
}

const removalLimitNames: Names<NonNullable<RollcallOptions['removalLimit']>> = {
  ...{ percent: true, minimum: true, window: true },
}

/** Every option by its path, such as `webhook.batchSize`. */
export const optionPaths: readonly string[] = [
  ...Object.keys(optionNames).filter((name) => !['webhook', 'extdir', 'removalLimit'].includes(name)),
  ...Object.keys(webhookNames).map((name) => `webhook.${name}`),
  ...Object.keys(extdirNames).map((name) => `extdir.${name}`),
  ...Object.keys(removalLimitNames).map((name) => `removalLimit.${name}`),
]

/**
 * Rejects misspelled options, which products in JavaScript would not find without types.
 *
 * @throws Error that suggests names for unknown options
 */
export function rejectUnknownOptions(input: RollcallOptions): void {
  const { webhook = {}, extdir = {}, removalLimit = {}, ...options } = input
  const problems = [
    ...unknownFields(Object.keys(optionNames), options),
    ...unknownFields(Object.keys(webhookNames), webhook),
    ...unknownFields(Object.keys(extdirNames), extdir),
    ...unknownFields(Object.keys(removalLimitNames), removalLimit),
  ]
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(' '))
}
