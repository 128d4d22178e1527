import type { ParsedOptions } from '../terminal/options.ts'
import { unexpectedArguments } from '../terminal/options.ts'

/** The options for reaching a running service. */
export interface ManagementArguments {
  /** Without a trailing slash; undefined means `http://localhost:<PORT>`. */
  readonly url: string | undefined
  /** The admin that the audit trail names. */
  readonly email: string
}

/** The part of each command's help that describes these options. */
export const managementHelp = `  --url <address>      the running service (default: http://localhost:<PORT>)
  --email <address>    the admin that the audit trail names (default: operator@localhost.localdomain)
  -h, --help           show this text

This command reads the settings of the service from the environment or from a file .env and opens the database itself.
While a service is running on an embedded database, it calls the admin API of that service with ADMIN_ROOT_TOKEN.
`

export const managementOptionNames = ['url', 'email'] as const

/** The common options of a command without positional arguments, and all problems of its arguments. */
export function readManagement(options: ParsedOptions): {
  readonly arguments: ManagementArguments
  readonly problems: readonly string[]
} {
  const { url, email = 'operator@localhost.localdomain' } = options.values
  return {
    arguments: { url: url?.replace(/(?<!\/)\/+$/, ''), email },
    problems: [
      ...options.problems,
      ...unexpectedArguments(options),
      ...(url === undefined || /^https?:\/\/./.test(url)
        ? []
        : [`--url must be an address that starts with http:// or https://, not ${JSON.stringify(url)}.`]),
    ],
  }
}
