/** Parses a form or query: parameters once each, and those with brackets as lists. */

export type Form = {
  readonly parameters: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** The first element of a list is also a parameter, so that the API's own table can validate it. */
export function parseForm(text: string): Form {
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
