import { Client, Connection } from 'pg'

/** Statements that were sent together, after which the server has reported that it is ready for more. */
export interface Unit {
  /** The process of the server. */
  readonly pid: number
  /** The number of the unit on this connection. The first unit opens the connection. */
  readonly number: number
  readonly texts: readonly string[]
}

/** Records the units of connections that are opened from now on, in the order in which they end. */
export function recordUnits() {
  const units: Unit[] = []
  const sentOn = new WeakMap<Connection, string[]>()
  const preparedOn = new WeakMap<Connection, Map<string, string>>()
  const { connect } = Client.prototype
  const { parse, bind, query } = Connection.prototype

  Client.prototype.connect = function (this: Client, ...args: Parameters<typeof connect>) {
    watch(this.connection)
    return connect.apply(this, args)
  } as typeof connect
  Connection.prototype.parse = function (statement, more) {
    preparedOn.get(this)?.set(statement.name, statement.text)
    parse.call(this, statement, more)
  }
  Connection.prototype.bind = function (config, more) {
    sentOn.get(this)?.push(preparedOn.get(this)?.get(config?.statement ?? '') ?? '')
    bind.call(this, config, more)
  }
  Connection.prototype.query = function (text) {
    sentOn.get(this)?.push(text)
    query.call(this, text)
  }

  function watch(connection: Connection): void {
    let [pid, number] = [0, 0]
    sentOn.set(connection, [])
    preparedOn.set(connection, new Map())
    connection.on('backendKeyData', ({ processID }: { readonly processID: number }) => {
      pid = processID
    })
    connection.on('readyForQuery', () => {
      number += 1
      units.push({ pid, number, texts: sentOn.get(connection) ?? [] })
      sentOn.set(connection, [])
    })
  }

  return {
    units,
    [Symbol.dispose]() {
      Client.prototype.connect = connect
      Object.assign(Connection.prototype, { parse, bind, query })
    },
  }
}
