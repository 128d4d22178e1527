import type { Step } from '../../../service/traffic/conversation.ts'
import { readConversations } from '../../../service/traffic/conversation.ts'

/** The recorded requests of a provider, e.g. `okta-oin`; placeholders like `{{userId}}` become `userId`. */
export function readTraffic(name: string): readonly Step[] {
  const conversation = readConversations().find((one) => one.name === name)
  if (conversation === undefined) throw new Error(`There are no recorded requests ${name}.`)
  return JSON.parse(JSON.stringify(conversation.steps).replaceAll(/\{\{(\w+)\}\}/g, '$1'))
}
