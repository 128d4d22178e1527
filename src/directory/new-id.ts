import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const bytesPerId = 16
const pool = new Uint8Array(bytesPerId * 256)
let used = pool.length

/** The random bytes of one id, drawn for many ids at a time: a draw costs more than making an id. */
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytesPerId
  return pool.subarray(used - bytesPerId, used)
}

/** A new UUIDv7. */
export function newId(): string {
  return uuidv7({ rng: randomBytes })
}
