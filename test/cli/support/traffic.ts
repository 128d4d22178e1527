import { readFileSync } from 'node:fs'
import type { Json } from '../../../src/scim/json.ts'

/** One step of a recorded conversation; its format is described beside the files. */
export interface TrafficStep {
  readonly kind: 'idp' | 'verify' | 'case'
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** The conversation of that name, e.g. `okta-oin`; `{{userId}}` reads `userId`, so that it passes for an id. */
export function readTraffic(name: string): TrafficStep[] {
  const text = readFileSync(new URL(`../../traffic/${name}.json`, import.meta.url), 'utf8')
  return JSON.parse(text.replaceAll(/\{\{(\w+)\}\}/g, '$1'))
}
