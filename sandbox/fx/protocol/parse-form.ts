/** Reads what a form or a query says: each parameter once, and those with brackets as lists. */

export type Form = {
  readonly parameters: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** Of a list, the first is a parameter too, so that the interface's own table can be asked about it. */
export function readForm(text: string): Form {
  const parameters: Record<string, string> = {}
  const lists: Record<string, string[]> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[[0-9]*\]$/, '')
    if (name !== key) {
      lists[name] = [...(lists[name] ?? []), value]
    }
    parameters[name] ??= value
  }
  return { parameters, lists }
}
