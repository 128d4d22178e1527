import type { DeliveryControl } from '../../src/delivery/control.ts'
import type { Answer, Client } from './client.ts'
import { poll } from './eventually.ts'
import type { TestService } from './service.ts'

/** The delivery status in the API. */
export type DeliveryStatus = Awaited<ReturnType<DeliveryControl['status']>>
export type DeadEvent = Awaited<ReturnType<DeliveryControl['deadEvents']>>['rows'][number]

/** The data of a successful response, in the form that the test expects. */
export function dataOf<T>({ status, body, text }: Answer): T {
  if (status !== 200) throw new Error(`refused: ${text}`)
  return body.data as unknown as T
}

/** The delivery status of a directory. */
export async function statusOf(client: Client, directoryId: string): Promise<DeliveryStatus> {
  return dataOf(await client.api('GET', `/${directoryId}/delivery`))
}

/** Polls the status until it is as expected: progress is recorded a moment after a delivery. */
export async function statusWhen(
  client: Client,
  directoryId: string,
  isIt: (status: DeliveryStatus) => boolean,
): Promise<DeliveryStatus> {
  return poll(
    () => statusOf(client, directoryId),
    isIt,
    (last) => `another status: ${JSON.stringify(last)}`,
  )
}

/** Waits until the n-th consecutive failed attempt is logged. */
export async function failed(service: TestService, directoryId: string, failures = 1): Promise<void> {
  const isIt = (line: Readonly<Record<string, unknown>>) =>
    line['directoryId'] === directoryId &&
    line['failures'] === failures &&
    /was not delivered/.test(String(line['msg']))
  await service.logged(isIt, `failure ${failures}`)
}

/** Ends the backoff of a directory, as any change of it does. */
export async function hasten(client: Client, directoryId: string): Promise<void> {
  await client.api('PATCH', `/${directoryId}`, { name: 'in a hurry' })
}
