import type { Compatibility, HttpContext } from '../http/context.ts'
import type { Settings } from './settings.ts'

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
  }
}

/** Only loaded for products of Polis. */
async function polisCompatibility(): Promise<Compatibility> {
  return (await import('../polis/compat/http/polis-routes.ts')).polisCompatibility
}
