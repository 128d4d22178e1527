import { createSlots } from '../../concurrency/semaphore.ts'

/** 2^10 rounds: some 50 ms of a thread. */
const usualCost = 10
const usualAtOnce = 2

/** Hashes admin tokens with bcrypt. Tokens have 43 characters: bcrypt looks at the first 72. */
export interface TokenHashing {
  hash(token: string): Promise<string>
  matches(token: string, hash: string): Promise<boolean>
}

export interface TokenHashingOptions {
  readonly cost?: number
  /** How many of the threads that Node.js shares with files and name look-ups may be taken. */
  readonly atOnce?: number
}

/** Makes the hashing. The native code is loaded when it is needed first. */
export function createTokenHashing({ cost = usualCost, atOnce = usualAtOnce }: TokenHashingOptions = {}): TokenHashing {
  const slots = createSlots(atOnce)

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const leave = await slots.take()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    hash: (token) => inTurn(async () => (await bcrypt()).hash(token, cost)),
    matches: (token, hash) => inTurn(async () => (await bcrypt()).compare(token, hash)),
  }
}

async function bcrypt() {
  const { default: loaded } = await import('bcrypt')
  return loaded
}
