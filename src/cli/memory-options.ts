/**
 * What a service is started with to hold little memory; `bin/rollcall.js` starts itself again with it. The figures are in
 * docs/ARCHITECTURE.md, "The process".
 */

/**
 * Options of Node.js: a small young generation, a heap that grows in small steps, and no pretenuring, by which the objects of
 * requests would fill the old generation.
 */
export const nodeOptions: readonly string[] = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
]

/**
 * Variables for the allocator of glibc; others ignore them. One arena for all threads, and blocks from 32 KB in mappings of
 * their own: what V8's compilers and garbage collectors have freed is given back, instead of staying with their threads.
 */
export const allocatorVariables: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
}
