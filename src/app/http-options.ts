import type { Settings } from './settings.ts'

/** The settings that concern the routes. */
export function httpOptions(settings: Settings) {
  return {
    scimBodyLimit: settings.SCIM_BODY_LIMIT,
    scimRateLimit: settings.SCIM_RATE_LIMIT,
    trustProxy: settings.TRUST_PROXY,
    corsOrigins: settings.CORS_ORIGINS,
    hasMetricsPort: settings.METRICS_PORT !== undefined,
  }
}
