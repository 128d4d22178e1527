import type { Step } from '../../../service/traffic/conversation.ts'
import { readConversations } from '../../../service/traffic/conversation.ts'

/** The conversation of that name, e.g. `okta-oin`; `{{userId}}` reads `userId`, so that it passes for an id. */
export function readTraffic(name: string): readonly Step[] {
  const conversation = readConversations().find((one) => one.name === name)
  if (conversation === undefined) throw new Error(`There is no conversation ${name}.`)
  return JSON.parse(JSON.stringify(conversation.steps).replaceAll(/\{\{(\w+)\}\}/g, '$1'))
}
