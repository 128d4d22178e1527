/** Lets the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Lets the browser save JSON. */
export function saveJson(name: string, value: unknown): void {
  saveFile(name, new Blob([`${JSON.stringify(value, undefined, 2)}\n`], { type: 'application/json' }))
}
