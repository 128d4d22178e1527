import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const bytesPerId = 16
const pool = new Uint8Array(bytesPerId * 256)
let used = pool.length

/** Random bytes for one id; many are drawn at once, as each draw costs more than the id. */
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytesPerId
  return pool.subarray(used - bytesPerId, used)
}

/** A new id: a UUID of version 7, which begins with the time. */
export function newId(): string {
  return uuidv7({ rng: randomBytes })
}
