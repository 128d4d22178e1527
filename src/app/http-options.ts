import type { Compatibility, HttpContext, SettingView } from '../http/context.ts'
import type { Setting } from './setting-kinds.ts'
import type { SettingName, Settings } from './settings.ts'
import { settingTable } from './settings.ts'

/** The settings that concern the routes. */
export async function httpOptions(
  settings: Settings,
): Promise<Omit<HttpContext, 'service' | 'management' | 'metrics'>> {
  return {
    scimBodyLimit: settings.SCIM_BODY_LIMIT,
    scimRateLimit: settings.SCIM_RATE_LIMIT,
    trustProxy: settings.TRUST_PROXY,
    corsOrigins: settings.CORS_ORIGINS,
    compatibility: settings.POLIS_COMPAT ? await polisCompatibility() : undefined,
    accessLog: settings.ACCESS_LOG,
    keepAliveSeconds: settings.KEEP_ALIVE_SECONDS,
    hasMetricsPort: settings.METRICS_PORT !== undefined,
    settings: Object.entries<Setting<unknown>>(settingTable).map(([name, setting]) =>
      settingView(name, setting, settings[name as SettingName]),
    ),
  }
}

function settingView(name: string, { defaultValue, meaning, isSecret = false }: Setting<unknown>, value: unknown) {
  const isDefault = String(value) === String(defaultValue)
  const text = value === undefined || String(value) === '' ? null : String(value)
  return { name, value: isSecret && !isDefault ? '(set)' : text, is_default: isDefault, meaning } satisfies SettingView
}

/** Only loaded for products of Polis. */
async function polisCompatibility(): Promise<Compatibility> {
  return (await import('../polis/compat/http/polis-routes.ts')).polisCompatibility
}
