import type { HttpContext } from '../http/context.ts'
import type { Settings } from './settings.ts'

/** The settings that concern the routes. */
export function httpOptions(settings: Settings): Omit<HttpContext, 'service' | 'management' | 'metrics'> {
  return {
    scimBodyLimit: settings.SCIM_BODY_LIMIT,
    scimRateLimit: settings.SCIM_RATE_LIMIT,
    trustProxy: settings.TRUST_PROXY,
    corsOrigins: settings.CORS_ORIGINS,
    polisCompat: settings.POLIS_COMPAT,
    accessLog: settings.ACCESS_LOG,
    hasMetricsPort: settings.METRICS_PORT !== undefined,
  }
}
