/**
 * What a service is started with to hold little memory; `bin/rollcall.js` starts itself again with it. The figures are in
 * docs/ARCHITECTURE.md, "The process".
 */

/**
 * Options of Node.js: a young generation so small that one thread collects it, a heap that grows in small steps, no pretenuring,
 * by which the objects of requests would fill the old generation, and collections of the young generation also while the old
 * one is being marked, as otherwise the heap grows by all garbage of that time.
 */
export const nodeOptions: readonly string[] = [
  '--max-semi-space-size=4',
  '--no-parallel-scavenge',
  '--heap-growing-percent=10',
  '--no-allocation-site-pretenuring',
  // Node.js 26 does not start with it: its V8 no longer has this option. Node.js 24 has V8 13.
  ...(process.versions.v8.startsWith('13.') ? ['--no-separate-gc-phases'] : []),
]

/**
 * Variables for the allocator of glibc; others ignore them. One arena for all threads, and blocks from 8 KB in mappings of
 * their own: what V8's compilers and garbage collectors have freed is given back, instead of staying with their threads.
 */
export const allocatorVariables: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '8192',
  MALLOC_TRIM_THRESHOLD_: '65536',
}
