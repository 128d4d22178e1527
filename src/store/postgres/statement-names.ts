const lastGeneration = 8

/**
 * Names the prepared statements of a process. PostgreSQL keeps a plan with each, and a plan that was made for a small
 * table can be ruinous for a large one; so a statement gets a new name, and with it a new plan, each time it has been
 * used four times as often, up to a point where the server's own statistics have long caught up.
 */
export function createStatementNames(): (text: string) => string {
  const statements = new Map<string, { readonly number: number; uses: number }>()
  return (text) => {
    const statement = statements.get(text) ?? { number: statements.size + 1, uses: 0 }
    statements.set(text, statement)
    statement.uses += 1
    const generation = Math.min(lastGeneration, Math.floor(Math.log2(statement.uses) / 2))
    return `rollcall_${statement.number}_${generation}`
  }
}
