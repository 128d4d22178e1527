import { createSemaphore } from '../../concurrency/semaphore.ts'

/** 2^10 rounds, about 50 ms of CPU time. */
const defaultCost = 10
const defaultConcurrency = 2

/** Hashes admin tokens with bcrypt, which uses the first 72 characters; tokens have 43. */
export interface TokenHashing {
  hash(token: string): Promise<string>
  matches(token: string, hash: string): Promise<boolean>
}

export interface TokenHashingOptions {
  readonly cost?: number
  /** The maximum number of threads of Node's pool, which file access and DNS lookups share, that hash concurrently. */
  readonly concurrency?: number
}

/** Loads the native module at first use. */
export function createTokenHashing({
  cost = defaultCost,
  concurrency = defaultConcurrency,
}: TokenHashingOptions = {}): TokenHashing {
  const semaphore = createSemaphore(concurrency)

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    const release = await semaphore.acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }

  return {
    hash: (token) => limited(async () => (await bcrypt()).hash(token, cost)),
    matches: (token, hash) => limited(async () => (await bcrypt()).compare(token, hash)),
  }
}

async function bcrypt() {
  const { default: loaded } = await import('bcrypt')
  return loaded
}
