/** Names the prepared statements of a process by their text. */
export function createStatementNames(): (text: string) => string {
  const names = new Map<string, string>()
  return (text) => {
    const name = names.get(text) ?? `rollcall_${names.size + 1}`
    names.set(text, name)
    return name
  }
}
