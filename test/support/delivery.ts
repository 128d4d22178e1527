import type { DeliveryControl } from '../../src/delivery/control.ts'
import type { Answer, Client } from './client.ts'
import type { TestService } from './service.ts'

/** What the API tells of a delivery. */
export type DeliveryStatus = Awaited<ReturnType<DeliveryControl['status']>>
export type DeadEvent = Awaited<ReturnType<DeliveryControl['deadEvents']>>['rows'][number]

const timeoutMs = 15_000

/** The data of an answer, as the test expects it; a wrong guess fails the test. */
export function dataOf<T>({ status, body, text }: Answer): T {
  if (status !== 200) throw new Error(`refused: ${text}`)
  return body.data as unknown as T
}

/** How the delivery of a directory's events goes. */
export async function statusOf(client: Client, directoryId: string): Promise<DeliveryStatus> {
  return dataOf(await client.api('GET', `/${directoryId}/delivery`))
}

/** Asks until it goes as expected: progress is noted a moment after a delivery. */
export async function statusWhen(
  client: Client,
  directoryId: string,
  isIt: (status: DeliveryStatus) => boolean,
): Promise<DeliveryStatus> {
  const startedAt = performance.now()
  for (;;) {
    const status = await statusOf(client, directoryId)
    if (isIt(status)) return status
    if (performance.now() - startedAt > timeoutMs) throw new Error(`waited in vain: ${JSON.stringify(status)}`)
  }
}

/** Waits until an attempt in vain is on record, the n-th in a row. */
export async function failed(service: TestService, directoryId: string, failures = 1): Promise<void> {
  const isIt = (line: Readonly<Record<string, unknown>>) =>
    line['directoryId'] === directoryId &&
    line['failures'] === failures &&
    /was not delivered/.test(String(line['msg']))
  await service.logged(isIt, `failure ${failures}`)
}

/** Ends the back-off that a directory is in, as any change of it does. */
export async function hasten(client: Client, directoryId: string): Promise<void> {
  await client.api('PATCH', `/${directoryId}`, { name: 'in a hurry' })
}
