import { dialectNames } from './dialect.ts'

/** What `rollcall simulate --help` prints. */
export const simulateHelp = `Usage: rollcall simulate <provider> --directory <id> [options]

Plays an identity provider against a directory, in that provider's own dialect of SCIM:
people join, some profiles change, groups are pushed, some people leave.

Providers: ${dialectNames.join(', ')}

Where to
  --directory <id>     the directory; its SCIM address and secret are asked for over the API
  --url <address>      of the service (default: EXTERNAL_URL, else http://localhost:<PORT, else 5225>)
  --api-key <key>      default: the first of API_KEYS
  --scim-url <address> --secret <secret>
                       a SCIM address as it is, without asking the API

How much
  --users <n>          default 20
  --groups <n>         default 3
  --offboard <percent> of the users leave in the end (default 10)
  --rate <n>           requests per second (default 0: as fast as the connections allow)
  --concurrency <n>    connections (default 4)
  --seed <n>           the same seed gives the same people (default 1)

  -h, --help           this text

Exit code: 0 when every call succeeded, 1 when not, 2 for wrong arguments, 130 when interrupted.
`
