import type { LookupAddress } from 'node:dns'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'

/** Returns the addresses of a name in the machine's hosts file; none if it is not there. */
export type HostsFile = (hostname: string) => Promise<readonly LookupAddress[]>

const systemFile =
  process.platform === 'win32'
    ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts'

/** Reads the file again when it has changed. An unreadable file has no names, as for the operating system. */
export function createHostsFile(file: string = systemFile): HostsFile {
  let names: ReadonlyMap<string, readonly LookupAddress[]> = new Map()
  let readAt: number | undefined

  async function read(): Promise<void> {
    const changedAt = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    if (changedAt === readAt) return
    names = parseHosts(changedAt === undefined ? '' : await readFile(file, 'utf8').catch(() => ''))
    readAt = changedAt
  }

  return async (hostname) => {
    await read()
    return names.get(hostname.toLowerCase().replace(/\.$/, '')) ?? []
  }
}

/** Parses lines of an address and its names, with comments after `#`; see hosts(5). */
function parseHosts(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...own] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of own.map((one) => one.toLowerCase())) {
      names.set(name, [...(names.get(name) ?? []), { address, family }])
    }
  }
  return names
}
