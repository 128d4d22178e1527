import assert from 'node:assert/strict'
import type { DirectoryAnswer } from '../../../src/directory/directory-answer.ts'
import type { Call, Reply } from './http.ts'
import { call } from './http.ts'

/** Where the service is, and the key to its API. */
export interface ServiceAddress {
  readonly baseUrl: string
  readonly apiKey: string
}

/** The product's side of the API. */
export interface Product {
  send(path: string, options?: Call): Promise<Reply>
  createDirectory(fields: Readonly<Record<string, unknown>>): Promise<DirectoryAnswer>
  updateDirectory(id: string, fields: Readonly<Record<string, unknown>>): Promise<void>
  /** Every row of a listing. */
  list(path: string): Promise<Row[]>
}

/** A row of a listing: which fields it has depends on the listing. */
export interface Row {
  readonly id: string
  readonly raw: Readonly<Record<string, unknown>>
  readonly user_id: string
}

export function productOf({ baseUrl, apiKey }: ServiceAddress): Product {
  const send = (path: string, options: Call = {}) =>
    call(`${baseUrl}/api/v1/directory-sync${path}`, {
      ...options,
      headers: { authorization: `Api-Key ${apiKey}`, ...options.headers },
    })

  async function data(status: number, path: string, options: Call = {}): Promise<unknown> {
    const reply = await send(path, options)
    assert.equal(reply.status, status, `${options.method ?? 'GET'} ${path}: ${JSON.stringify(reply.body)}`)
    return reply.body['data']
  }

  return {
    send,
    createDirectory: async (body) => (await data(201, '/', { method: 'POST', body })) as DirectoryAnswer,
    updateDirectory: async (id, body) => void (await data(200, `/${id}`, { method: 'PATCH', body })),
    list: async (path) => (await data(200, path)) as Row[],
  }
}
